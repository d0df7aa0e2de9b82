"""Accounts that are closed beside each other, and beside what others say in a match with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ladder.models import Event
from ladder.rules.match_life import State
from ladder.services import forgetting, reporting, sql
from tests import factories
from tests.concurrency.calls import closing
from tests.concurrency.racing import Callers, errors_of, gate_before, meet, overtake

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def test_two_who_played_each_other_go_at_once(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    match = factories.confirmed_match()
    gate_before(monkeypatch, sql, "execute")
    together, answers = meet(callers(2), closing(match.player_one), closing(match.player_two))
    assert (together, errors_of(answers)) == (1, [])
    assert not Event.objects.exists()


def test_a_word_in_a_dispute_beside_closing(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    leaver, opponent = factories.make_players(2)
    match = factories.awaiting_match(opponent, leaver, claimant=1, origin="challenge")
    reporting.dispute(match.pk, leaver, text="My phone died.")
    gate_before(monkeypatch, forgetting, "opening")
    raced = overtake(
        callers(2), closing(leaver), lambda: reporting.dispute(match.pk, opponent, text="Mine did not.").match
    )
    assert errors_of([raced.slow, raced.fast]) == []
    match.refresh_from_db()
    leaver.refresh_from_db()
    assert match.state == State.DISPUTED
    assert match.dispute_text == f"{leaver.username}: My phone died.\n{opponent.username}: Mine did not."
