"""Closing accounts at the same time as each other, and as statements in disputes with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.services import closing as service
from events.models import Event
from ladder.rules.ranked import Origin
from ladder.services.matches import reporting
from tests import factories
from tests.concurrency.calls import closing
from tests.concurrency.racing import Callers, errors_of, gate_before, meet, overtake

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def test_two_who_played_each_other_close_their_accounts(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither waits for the other, because no stored answer of one contains the other's name."""
    match = factories.confirmed_match()
    gate_before(monkeypatch, service, "_delete_personal_data")
    together, answers = meet(callers(2), closing(match.player_one), closing(match.player_two))
    assert (together, errors_of(answers)) == (2, [])
    assert not Event.objects.exists()


def test_a_statement_in_a_dispute(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing an account changes no match, so a statement made meanwhile stays and does not wait."""
    leaver, opponent = factories.make_player("leaver01"), factories.make_player("opponent01")
    match = factories.awaiting_match(opponent, leaver, claimant=1, origin=Origin.CHALLENGE)
    reporting.dispute(match.pk, leaver, text="My phone died.")
    gate_before(monkeypatch, service, "_delete_personal_data")
    raced = overtake(callers(2), closing(leaver), lambda: reporting.dispute(match.pk, opponent, text="Mine did not."))
    assert (raced.passed, errors_of([raced.slow, raced.fast])) == (True, [])
    match.refresh_from_db()
    assert (match.one_statement, match.two_statement) == ("Mine did not.", "My phone died.")
