"""Functions for races: each returns a call of a service."""

from __future__ import annotations

from accounts.models import User
from accounts.services import blocks, suspensions
from accounts.services import closing as accounts
from matchmaking.services import arranged, invites, tickets
from tests.concurrency.racing import Call
from tests.factories import make_ladder, make_player


def challenging(account: User, opponent: User) -> Call:
    ladder = make_ladder()
    return lambda: arranged.challenge(account, opponent.username, ladder, match_length=5)


def inviting(account: User) -> Call:
    ladder = make_ladder()
    return lambda: invites.create(account, ladder, match_length=5)


def using_invite(account: User, token: str) -> Call:
    return lambda: invites.accept(account, token)


def joining(account: User) -> Call:
    ladder = make_ladder()
    return lambda: tickets.join_queue(account, ladder, [5])


def blocking(account: User, other: User) -> Call:
    return lambda: blocks.block(account, other.username)


def suspending(account: User) -> Call:
    moderator = make_player(is_superuser=True)
    return lambda: suspensions.suspend(account.pk, actor=moderator, reason="Stalling.", until=None)


def closing(account: User) -> Call:
    return lambda: accounts.close_account(account)
