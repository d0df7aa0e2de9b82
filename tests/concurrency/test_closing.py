"""Accounts that are closed beside each other, and beside what others say in a match with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ladder.models import Event, Match
from ladder.rules.ranked import Origin
from ladder.services import forgetting, reporting, sql
from tests import factories
from tests.concurrency.calls import closing
from tests.concurrency.racing import Callers, errors_of, gate_before, meet, overtake, without_locks_on

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


# --- two who have played each other ---


def both_go(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[BaseException]]:
    """The gate stands where each has forgotten what he heard himself, and not yet what the other did."""
    match = factories.confirmed_match()
    gate_before(patch, sql, "execute")
    together, answers = meet(threads, closing(match.player_one), closing(match.player_two))
    return together, errors_of(answers)


def test_two_who_played_each_other_go(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert both_go(callers(2), monkeypatch) == (1, [])
    assert not Event.objects.exists()


def test_without_the_lock_they_wait_for_each_other(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "_ONE_AT_A_TIME", "SELECT %s::int")
    together, (error,) = both_go(callers(2), monkeypatch)
    assert together == 2
    assert "deadlock detected" in str(error)


# --- a word in a dispute ---


def a_word_beside_closing(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[bool, str]:
    """Whether the opponent had his word while the account was being closed, and what then stands in the match."""
    leaver, opponent = factories.make_player("leaver01"), factories.make_player("opponent01")
    match = factories.awaiting_match(opponent, leaver, claimant=1, origin=Origin.CHALLENGE)
    reporting.dispute(match.pk, leaver, text="My phone died.")
    gate_before(patch, forgetting, "opening")
    raced = overtake(threads, closing(leaver), lambda: reporting.dispute(match.pk, opponent, text="Mine did not."))
    assert errors_of([raced.slow, raced.fast]) == []
    match.refresh_from_db()
    leaver.refresh_from_db()
    return raced.passed, match.dispute_text.replace(leaver.username, "nobody")


def test_a_word_in_a_dispute(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    both = "nobody: My phone died.\nopponent01: Mine did not."
    assert a_word_beside_closing(callers(2), monkeypatch) == (False, both)


def test_without_the_lock_the_word_is_lost(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks_on(monkeypatch, Match)
    assert a_word_beside_closing(callers(2), monkeypatch) == (True, "nobody: My phone died.")
