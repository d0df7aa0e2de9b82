"""What two transactions do to the same row at once: nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError

from accounts.models import User
from ladder.models import Match, RatingEntry, Standing
from ladder.rules import match_life
from ladder.rules.match_life import State
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
from tests.concurrency.racing import (
    Call,
    Callers,
    errors_of,
    gate_after_locking_standings,
    gate_before,
    meet,
    without_row_locks,
)

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def errors_when_they_meet(threads: Callers, *calls: Call) -> tuple[int, list[BaseException]]:
    """How many of the calls were in the critical section together, and the errors they ended with."""
    together, answers = meet(threads, *calls)
    return together, errors_of(answers)


# --- two first-ever matches of a new account ---


def two_first_matches() -> tuple[User, list[Call]]:
    newcomer = factories.make_player()
    matches = [factories.started_match(newcomer), factories.started_match(newcomer)]
    return newcomer, [
        lambda: reporting.server_result(matches[0].pk, winner=newcomer.username),
        lambda: reporting.report(matches[1].pk, matches[1].player_two, winner=newcomer.username),
    ]


def test_two_first_ever_matches_of_a_new_account_both_count(callers: MakeCallers, monkeypatch) -> None:
    newcomer, calls = two_first_matches()
    gate_after_locking_standings(monkeypatch)
    assert errors_when_they_meet(callers(2), *calls) == (1, [])
    standing = factories.standing_of(newcomer)
    assert (standing.wins, standing.experience, standing.last_sequence) == (2, 10, 2)
    assert standing.rating > 680  # the second win was rated from where the first one led
    assert_ledger_is_whole(newcomer)


def test_without_the_lock_on_standings_one_of_them_is_lost(callers: MakeCallers, monkeypatch) -> None:
    newcomer, calls = two_first_matches()
    gate_after_locking_standings(monkeypatch)
    without_row_locks(monkeypatch)
    together, errors = errors_when_they_meet(callers(2), *calls)
    assert together == 2  # both read 600.00 and no entries
    assert len(errors) == 1
    assert isinstance(errors[0], IntegrityError)
    assert "sequence_unique_in_standing" in str(errors[0])
    assert factories.standing_of(newcomer).experience == 5


def test_many_first_matches_of_many_new_accounts(callers: MakeCallers) -> None:
    threads = callers(4)
    for _ in range(25):
        newcomer = factories.make_player()
        matches = [factories.started_match(newcomer, ladder=factories.make_ladder()) for _ in range(4)]
        answers = threads.at_once(
            *(partial(reporting.server_result, match.pk, winner=newcomer.username) for match in matches)
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        standing = factories.standing_of(newcomer)
        assert (standing.wins, standing.experience) == (4, 20)
        assert_ledger_is_whole(newcomer)


# --- both players accept at the same instant ---


def both_accept(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[BaseException], Match]:
    match = factories.offered_match()
    gate_before(patch, match_life, "accept")
    together, errors = errors_when_they_meet(
        threads,
        lambda: offers.accept(match.pk, match.player_one),
        lambda: offers.accept(match.pk, match.player_two),
    )
    match.refresh_from_db()
    return together, errors, match


def test_both_accept_at_the_same_instant(callers: MakeCallers, monkeypatch) -> None:
    together, errors, match = both_accept(callers(2), monkeypatch)
    assert (together, errors) == (1, [])
    assert match.state == State.IN_PROGRESS
    assert None not in (match.one_accepted_at, match.two_accepted_at, match.started_at)


def test_without_the_lock_one_acceptance_is_lost(callers: MakeCallers, monkeypatch) -> None:
    without_row_locks(monkeypatch)
    together, errors, match = both_accept(callers(2), monkeypatch)
    assert (together, errors) == (2, [])
    assert match.state == State.OFFERED
    assert [match.one_accepted_at, match.two_accepted_at].count(None) == 1


def test_an_acceptance_sent_many_times_at_once_starts_one_match(callers: MakeCallers) -> None:
    threads = callers(4)
    for _ in range(25):
        match = factories.offered_match()
        answers = threads.at_once(
            *(partial(offers.accept, match.pk, player) for player in (match.player_one, match.player_two) * 2)
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert {answer.match.state for answer in answers} <= {State.OFFERED, State.IN_PROGRESS}
        match.refresh_from_db()
        assert match.state == State.IN_PROGRESS


# --- a moderator voids a match while the next one of the same players settles ---


def void_and_settle() -> tuple[list[User], list[Call]]:
    players, moderator = factories.make_players(2), factories.make_moderator()
    wrong = factories.confirmed_match(*players, winner=1)
    following = factories.awaiting_match(*players, claimant=1)

    def void() -> object:
        return rulings.overturn_match(
            wrong.pk, actor=moderator, winner=None, reason_code=ReasonCode.CHEATING, reason="Dice were set."
        )

    return players, [void, lambda: reporting.confirm(following.pk, players[1])]


def test_a_void_and_the_next_settlement_both_count(callers: MakeCallers, monkeypatch) -> None:
    players, calls = void_and_settle()
    gate_after_locking_standings(monkeypatch)
    assert errors_when_they_meet(callers(2), *calls) == (1, [])
    assert [(s.wins, s.losses, s.experience, s.last_sequence) for s in map(factories.standing_of, players)] == [
        (1, 0, 5, 3),
        (0, 1, 5, 3),
    ]
    assert_ledger_is_whole(*players)


def test_without_the_lock_a_void_and_a_settlement_collide(callers: MakeCallers, monkeypatch) -> None:
    players, calls = void_and_settle()
    gate_after_locking_standings(monkeypatch)
    without_row_locks(monkeypatch)
    together, errors = errors_when_they_meet(callers(2), *calls)
    assert together == 2
    assert len(errors) == 1
    # The second finds its sequence numbers taken, or the two wait for each other's numbers and events in a circle.
    assert re.search("sequence_unique_in_standing|deadlock detected", str(errors[0]))
    assert RatingEntry.objects.filter(standing__player__in=players).count() == 4


def test_voids_and_settlements_at_random(callers: MakeCallers) -> None:
    threads = callers(2)
    for _ in range(25):
        players, calls = void_and_settle()
        assert not [answer for answer in threads.at_once(*calls) if isinstance(answer, Exception)]
        assert_ledger_is_whole(*players)
    assert {s.wins + s.losses for s in Standing.objects.all()} == {1}
