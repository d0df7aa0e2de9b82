"""Invites: used twice at once, too many at once, and at the same time as blocks and closed accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError

from accounts.models import Block, User
from accounts.services import closing as closing_service
from ladder.models import Match
from ladder.rules.match_life import State
from matchmaking.limits import MAX_OPEN_INVITES
from matchmaking.models import Invite
from matchmaking.services import invites
from tests.concurrency.calls import blocking, closing, inviting, using_invite
from tests.concurrency.racing import Callers, errors_of, gate_before, meet, overtake, refusal, without_locks_on
from tests.factories import make_player, make_players

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def states() -> list[str]:
    """The states of all matches, the oldest first."""
    return list(Match.objects.order_by("pk").values_list("state", flat=True))


# --- one too many ---


def twenty_one_invites(threads: Callers, patch: pytest.MonkeyPatch) -> tuple[int, list[Any]]:
    account = make_player()
    for _ in range(MAX_OPEN_INVITES - 1):
        inviting(account)()
    gate_before(patch, Invite.objects, "create")
    return meet(threads, inviting(account), inviting(account))


def test_the_last_invite_and_one_too_many(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    together, answers = twenty_one_invites(callers(2), monkeypatch)
    assert (together, [refusal(error) for error in errors_of(answers)]) == (1, ["too_many_invites"])
    assert Invite.objects.count() == MAX_OPEN_INVITES


def test_without_the_lock_there_are_too_many_invites(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    without_locks_on(monkeypatch, User)
    together, answers = twenty_one_invites(callers(2), monkeypatch)
    assert (together, errors_of(answers)) == (2, [])
    assert Invite.objects.count() == MAX_OPEN_INVITES + 1


# --- one invite, twice ---


def use_twice(threads: Callers, patch: pytest.MonkeyPatch, *, the_same: bool) -> tuple[int, list[Any]]:
    first, second = make_players(2)
    _, token = inviting(make_player())()
    gate_before(patch, invites, "propose_to")
    return meet(threads, using_invite(first, token), using_invite(first if the_same else second, token))


@pytest.mark.parametrize("lock", ["both", "accounts", "invite"])
def test_two_players_use_one_invite(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, lock: str) -> None:
    """One of the locks is enough: that on the two accounts, or that on the invite."""
    if lock == "accounts":
        without_locks_on(monkeypatch, Invite)
    if lock == "invite":
        without_locks_on(monkeypatch, User)
    together, answers = use_twice(callers(2), monkeypatch, the_same=False)
    assert (together, [refusal(error) for error in errors_of(answers)]) == (1, ["invite_used"])
    assert states() == [State.IN_PROGRESS]


def test_repeated_use_of_an_invite_creates_one_match(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    together, answers = use_twice(callers(2), monkeypatch, the_same=True)
    assert (together, {match.pk for match in answers}) == (1, {Match.objects.get().pk})
    assert {match.state for match in answers} == {State.IN_PROGRESS}


@pytest.mark.parametrize("the_same", [True, False])
def test_without_both_locks_the_database_refuses(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, the_same: bool
) -> None:
    without_locks_on(monkeypatch, User)
    without_locks_on(monkeypatch, Invite)
    together, answers = use_twice(callers(2), monkeypatch, the_same=the_same)
    (error,) = errors_of(answers)
    assert together == 2
    assert isinstance(error, IntegrityError)
    assert "the invite has been used" in str(error)
    assert states() == [State.IN_PROGRESS]


def test_an_invite_is_withdrawn_while_it_is_used(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = make_players(2)
    invite, token = inviting(host)()
    gate_before(monkeypatch, invites, "propose_to")
    raced = overtake(callers(2), using_invite(guest, token), lambda: invites.withdraw(host, invite.pk))
    assert (raced.passed, raced.slow.state, refusal(raced.fast)) == (False, State.IN_PROGRESS, "invite_used")


# --- a block ---


def test_a_block_during_an_invite(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = make_players(2)
    _, token = inviting(host)()
    gate_before(monkeypatch, invites, "propose_to")
    raced = overtake(callers(2), using_invite(guest, token), blocking(host, guest))
    assert (raced.passed, raced.slow.state) == (False, State.IN_PROGRESS)
    assert raced.slow.started_at < Block.objects.get().created_at


def test_an_invite_during_a_block(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = make_players(2)
    invite, token = inviting(host)()
    gate_before(monkeypatch, Block.objects, "create")
    raced = overtake(callers(2), blocking(host, guest), using_invite(guest, token))
    assert (raced.passed, refusal(raced.fast), states()) == (False, "cannot_challenge", [])
    invite.refresh_from_db()
    assert invite.used_at is None


def test_without_the_locks_an_invite_is_used_for_a_match_that_is_called_off(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = make_players(2)
    _, token = inviting(host)()
    without_locks_on(monkeypatch, User)
    gate_before(monkeypatch, invites, "propose_to")
    raced = overtake(callers(2), using_invite(guest, token), blocking(host, guest))
    assert (raced.passed, raced.slow.state) == (True, State.CANCELLED)
    assert Invite.objects.get().used_at is not None


# --- an account that is closed ---


def test_closing_an_account_during_an_invite(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = make_players(2)
    _, token = inviting(host)()
    gate_before(monkeypatch, invites, "propose_to")
    raced = overtake(callers(2), using_invite(guest, token), closing(host))
    assert (raced.passed, raced.slow.state, raced.fast) == (False, State.IN_PROGRESS, None)


@pytest.mark.parametrize(("leaver", "code"), [(0, "invite_not_found"), (1, "cannot_challenge")])
def test_an_invite_while_an_account_is_closed(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, leaver: int, code: str
) -> None:
    pair = make_players(2)
    _, token = inviting(pair[0])()
    gate_before(monkeypatch, closing_service, "_delete_personal_data")
    raced = overtake(callers(2), closing(pair[leaver]), using_invite(pair[1], token))
    assert (raced.passed, refusal(raced.fast), states()) == (False, code, [])


def test_a_new_invite_while_its_account_is_closed(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    host = make_player()
    gate_before(monkeypatch, closing_service, "_delete_personal_data")
    raced = overtake(callers(2), closing(host), inviting(host))
    assert (raced.passed, refusal(raced.fast)) == (False, "account_closed")
    assert not Invite.objects.exists()
