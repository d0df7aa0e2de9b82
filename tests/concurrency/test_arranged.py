"""Challenges and rematches at the same time as each other, as blocks, suspensions and closed accounts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from accounts.models import AuditEntry, Block, User
from accounts.services import closing as closing_service
from common.errors import Forbidden
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers
from matchmaking.limits import MAX_OPEN_CHALLENGES
from matchmaking.services import arranged
from matchmaking.services.outcomes import QueueAccountListener, QueueMatchListener
from tests.concurrency.calls import blocking, challenging, closing, suspending
from tests.concurrency.racing import Callers, errors_of, gate_before, meet, overtake, refusal, without_locks_on
from tests.factories import confirmed_match, make_player, make_players

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def states() -> list[str]:
    """The states of all matches, the oldest first."""
    return list(Match.objects.order_by("pk").values_list("state", flat=True))


# --- two challenge each other ---


def two_challenge_each_other(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[Any]]:
    one, two = make_players(2)
    gate_before(patch, arranged, "_propose")
    return meet(threads, challenging(one, two), challenging(two, one))


def test_two_challenge_each_other(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    together, answers = two_challenge_each_other(callers(2), monkeypatch)
    (error,) = errors_of(answers)
    assert (together, refusal(error)) == (1, "challenge_open")
    assert str(Match.objects.get().pk) in str(error)


def test_without_the_locks_each_has_a_challenge(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks_on(monkeypatch, User)
    together, answers = two_challenge_each_other(callers(2), monkeypatch)
    assert (together, errors_of(answers)) == (2, [])
    assert states() == [State.OFFERED, State.OFFERED]


# --- both ask for a rematch ---


def both_ask_for_a_rematch(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[Any]]:
    played = confirmed_match()
    gate_before(patch, arranged, "_propose")
    return meet(threads, *(partial(arranged.rematch, played.pk, who) for who in (played.player_one, played.player_two)))


def test_both_ask_for_a_rematch(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    together, answers = both_ask_for_a_rematch(callers(2), monkeypatch)
    assert (together, errors_of(answers)) == (1, [])
    assert sorted(is_new for _, is_new in answers) == [False, True]
    assert states() == [State.CONFIRMED, State.IN_PROGRESS]


def test_without_the_locks_each_waits_for_the_other(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks_on(monkeypatch, User)
    together, answers = both_ask_for_a_rematch(callers(2), monkeypatch)
    assert (together, errors_of(answers)) == (2, [])
    assert states() == [State.CONFIRMED, State.OFFERED, State.OFFERED]


# --- one too many ---


def eleven_challenges(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[Any]]:
    account, *rivals = make_players(MAX_OPEN_CHALLENGES + 2)
    for rival in rivals[2:]:
        challenging(account, rival)()
    gate_before(patch, arranged, "_propose")
    return meet(threads, challenging(account, rivals[0]), challenging(account, rivals[1]))


def test_the_last_challenge_and_one_too_many(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    together, answers = eleven_challenges(callers(2), monkeypatch)
    assert (together, [refusal(error) for error in errors_of(answers)]) == (1, ["too_many_challenges"])
    assert len(states()) == MAX_OPEN_CHALLENGES


def test_without_the_locks_there_are_too_many(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks_on(monkeypatch, User)
    together, answers = eleven_challenges(callers(2), monkeypatch)
    assert (together, errors_of(answers)) == (2, [])
    assert len(states()) == MAX_OPEN_CHALLENGES + 1


# --- a block ---


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_during_a_challenge(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, blocker: int) -> None:
    pair = make_players(2)
    gate_before(monkeypatch, arranged, "_propose")
    raced = overtake(callers(2), challenging(*pair), blocking(pair[blocker], pair[1 - blocker]))
    assert (raced.passed, raced.slow[1], raced.fast) == (False, True, None)
    assert states() == [State.CANCELLED]


def test_a_challenge_during_a_block(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = make_players(2)
    gate_before(monkeypatch, Block.objects, "create")
    raced = overtake(callers(2), blocking(two, one), challenging(one, two))
    assert (raced.passed, refusal(raced.fast), states()) == (False, "cannot_challenge", [])


def test_without_the_locks_blocked_players_have_a_challenge(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = make_players(2)
    without_locks_on(monkeypatch, User)
    gate_before(monkeypatch, arranged, "_propose")
    raced = overtake(callers(2), challenging(one, two), blocking(two, one))
    assert (raced.passed, states()) == (True, [State.OFFERED])
    # The check at each acceptance does not need the locks.
    assert offers.accept(raced.slow[0].pk, two).match.state == State.CANCELLED


# --- a suspension ---


def test_a_suspension_during_a_challenge(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = make_players(2)
    gate_before(monkeypatch, arranged, "_propose")
    raced = overtake(callers(2), challenging(one, two), suspending(two))
    assert (raced.passed, errors_of([raced.slow, raced.fast])) == (False, [])
    with pytest.raises(Forbidden):
        offers.accept(raced.slow[0].pk, two)


def test_a_challenge_during_a_suspension(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = make_players(2)
    gate_before(monkeypatch, QueueAccountListener, "stopped")
    raced = overtake(callers(2), suspending(one), challenging(one, two))
    assert (raced.passed, refusal(raced.fast), states()) == (False, "suspended", [])


def test_a_suspension_during_an_acceptance(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match has started before, and goes on."""
    one, two = make_players(2)
    match, _ = challenging(one, two)()
    gate_before(monkeypatch, QueueMatchListener, "match_started")
    raced = overtake(callers(2), lambda: offers.accept(match.pk, two), suspending(one))
    assert raced.slow.match.state == State.IN_PROGRESS
    assert raced.slow.match.started_at < raced.fast.created_at


# --- an account that is closed ---


@pytest.mark.parametrize("leaver", [0, 1])
def test_closing_an_account_during_a_challenge(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, leaver: int
) -> None:
    pair = make_players(2)
    gate_before(monkeypatch, arranged, "_propose")
    raced = overtake(callers(2), challenging(*pair), closing(pair[leaver]))
    assert (raced.passed, raced.slow[1], raced.fast) == (False, True, None)
    assert states() == [State.CANCELLED]


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_challenge_while_an_account_is_closed(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, leaver: int
) -> None:
    pair = make_players(2)
    gate_before(monkeypatch, closing_service, "_delete_personal_data")
    raced = overtake(callers(2), closing(pair[leaver]), challenging(*pair))
    assert (raced.passed, refusal(raced.fast), states()) == (False, "cannot_challenge", [])


def test_without_the_locks_a_closed_account_has_a_challenge(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = make_players(2)
    without_locks_on(monkeypatch, User)
    gate_before(monkeypatch, arranged, "_propose")
    raced = overtake(callers(2), challenging(one, two), closing(one))
    assert (raced.passed, states()) == (True, [State.OFFERED])
    assert offers.accept(raced.slow[0].pk, two).match.state == State.CANCELLED


@pytest.mark.parametrize("leaver", [0, 1])
def test_closing_an_account_during_an_acceptance(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, leaver: int
) -> None:
    """The match has started before. It is unrated, so the account can be closed."""
    pair = make_players(2)
    match, _ = challenging(*pair)()
    gate_before(monkeypatch, QueueMatchListener, "match_started")
    raced = overtake(callers(2), lambda: offers.accept(match.pk, pair[1]), closing(pair[leaver]))
    assert (raced.passed, raced.slow.match.state, raced.fast) == (False, State.IN_PROGRESS, None)
    assert raced.slow.match.started_at < AuditEntry.objects.get(action="account.close").created_at


@pytest.mark.parametrize("leaver", [0, 1])
def test_an_acceptance_while_an_account_is_closed(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, leaver: int
) -> None:
    """After an account was closed, and before its offers are called off."""
    pair = make_players(2)
    match, _ = challenging(*pair)()
    gate_before(monkeypatch, QueueMatchListener, "match_cancelled")
    raced = overtake(callers(2), closing(pair[leaver]), lambda: offers.accept(match.pk, pair[1]))
    assert (raced.passed, refusal(raced.fast), raced.slow) == (False, "match_cancelled", None)
    assert states() == [State.CANCELLED]


def test_repeated_requests_close_an_account_once(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    account = make_player()
    gate_before(monkeypatch, closing_service, "_delete_personal_data")
    assert meet(callers(2), closing(account), closing(account)) == (1, [None, None])
    assert AuditEntry.objects.filter(action="account.close").count() == 1
