"""A few players who make random requests of all kinds, and checks of what must not happen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Block, Suspension, User
from accounts.queries.suspensions import in_force
from accounts.services import blocks, suspensions
from accounts.services import closing as accounts
from common.errors import Refusal
from events.models import Event
from events.services import presence
from ladder.event_kinds import MATCH_STARTED
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers, reporting, sweeps
from matchmaking.models import Invite, Penalty, Ticket
from matchmaking.queries.tickets import silence_limit
from matchmaking.services import arranged, delivery, invites, penalties, tickets, waves
from tests import factories
from tests.concurrency.racing import Call


class Said(NamedTuple):
    """A successful call: its kind, its accounts, and when it started and ended."""

    what: str
    accounts: tuple[int, ...]
    began: datetime
    ended: datetime


# Actions that prevent a match, and the actions that undo them.
KEEPS_APART = {"block": "unblock", "suspend": "lift", "close": None}


class Crowd:
    """Players of one ladder. The kinds of their calls are chosen beforehand, the objects when a call is made."""

    def __init__(self, seed: int, size: int) -> None:
        self._random = Random(seed)
        self.ladder = factories.make_ladder()
        self.moderator = factories.make_player(is_superuser=True)
        self.players = factories.make_players(size)
        self.said: list[Said] = []
        self._tokens: list[str] = []

    def calls(self, number: int) -> list[Call]:
        """This many random calls."""
        # New players replace those who have closed their accounts.
        gone = {it.accounts[0] for it in self.said if it.what == "close"}
        self.players = [factories.make_player() if it.pk in gone else it for it in self.players]
        return [self._any_call() for _ in range(number)]

    def _any_call(self) -> Call:
        one, two = self._random.sample(self.players, 2)
        draw = self._random.random()
        first = self._random.random() < 0.5

        def player(match: Match) -> User:
            return match.player_one if first else match.player_two

        calls: list[tuple[float, Call]] = [
            (15, lambda: tickets.join_queue(one, self.ladder, [3, 5])),
            (8, lambda: waves.pair_waiting(self.ladder)),
            (2, lambda: self._to(draw, self._tickets(one), lambda it: tickets.cancel(it.pk, one))),
            (1, lambda: self._to(draw, self._tickets(one), tickets.keep_alive)),
            (1, lambda: self._fall_silent(one)),
            (12, lambda: self._to(draw, self._matches(State.OFFERED), lambda it: offers.accept(it.pk, player(it)))),
            (2, lambda: self._to(draw, self._matches(State.OFFERED), lambda it: offers.decline(it.pk, player(it)))),
            (3, lambda: self._to(draw, self._matches(State.OFFERED), self._expire)),
            (
                1,
                lambda: self._to(
                    draw, self._matches(State.OFFERED), lambda it: delivery.record_shown(player(it).pk, [it.pk])
                ),
            ),
            (1, lambda: presence.record_delivered({one.pk: 10**6, two.pk: 10**6})),
            (1, lambda: presence.record_seen([one.pk, two.pk])),
            (8, lambda: self._to(draw, self._matches(State.IN_PROGRESS), lambda it: self._concede(it, player(it)))),
            (4, lambda: self._to(draw, self._matches(State.CONFIRMED), lambda it: arranged.rematch(it.pk, player(it)))),
            (3, lambda: arranged.challenge(one, two.username, self.ladder, match_length=3)),
            (2, lambda: self._tokens.append(invites.create(one, self.ladder, match_length=3)[1])),
            (3, lambda: self._tokens and invites.accept(one, self._tokens[-1 - int(draw * len(self._tokens[-4:]))])),
            (1, lambda: self._to(draw, Invite.objects.filter(account=one), lambda it: invites.withdraw(one, it.pk))),
            (2, lambda: self._say("block", (one.pk, two.pk), lambda: blocks.block(one, two.username))),
            (5, lambda: self._to(draw, Block.objects.select_related("account", "blocked"), self._unblock)),
            (1, lambda: self._say("suspend", (one.pk,), lambda: self._suspend(one))),
            (4, lambda: self._to(draw, in_force(), self._lift)),
            (4, lambda: self._to(draw, Penalty.objects.filter(account=one, lifted_at__isnull=True), self._forgive)),
            (0.3, lambda: self._say("close", (one.pk,), lambda: accounts.close_account(one))),
        ]
        ((_, drawn),) = self._random.choices(calls, [weight for weight, _ in calls])
        return drawn

    def _to(self, draw: float, queryset: QuerySet[Any], work: Callable[[Any], object]) -> object:
        """Do it with one of these, if there are any."""
        rows = list(queryset.order_by("-pk")[:5])
        return work(rows[int(draw * len(rows))]) if rows else None

    def _say(self, what: str, accounts: tuple[int, ...], call: Call) -> None:
        began = timezone.now()
        call()
        self.said.append(Said(what, accounts, began, timezone.now()))

    def _matches(self, state: State) -> QuerySet[Match]:
        return Match.objects.select_related("player_one", "player_two").filter(state=state)

    def _tickets(self, player: User) -> QuerySet[Ticket]:
        return Ticket.objects.filter(account=player, state__in=Ticket.LIVE)

    def _concede(self, match: Match, loser: User) -> None:
        winner = match.player_two if match.player_one_id == loser.pk else match.player_one
        reporting.report(match.pk, loser, winner=winner.username)

    def _expire(self, match: Match) -> None:
        Match.objects.filter(pk=match.pk, state=State.OFFERED).update(expires_at=timezone.now())
        sweeps.expire_matches()

    def _fall_silent(self, player: User) -> None:
        Ticket.objects.filter(account=player).update(seen_at=timezone.now() - 2 * silence_limit())
        tickets.remove_silent()

    def _forgive(self, penalty: Penalty) -> None:
        penalties.lift(penalty.pk, actor=self.moderator, reason="At random.")

    def _unblock(self, block: Block) -> None:
        pair = (block.account_id, block.blocked_id)
        self._say("unblock", pair, lambda: blocks.unblock(block.account, block.blocked.username))

    def _suspend(self, player: User) -> None:
        suspensions.suspend(player.pk, actor=self.moderator, reason="At random.", until=None)

    def _lift(self, suspension: Suspension) -> None:
        self._say(
            "lift",
            (suspension.account_id,),
            lambda: suspensions.lift(suspension.pk, actor=self.moderator, reason="At random."),
        )

    def forbidden(self) -> Iterator[Match]:
        """Matches that started although a block, a suspension or a closed account prevented it."""
        for it in self.said:
            if it.what not in KEEPS_APART:
                continue
            back = [no for no in self.said if no.what == KEEPS_APART[it.what] and no.accounts == it.accounts]
            if any(no.began < it.ended and no.ended > it.began for no in back):
                continue  # both at the same time: the order is unknown
            until = min((no.began for no in back if no.began >= it.ended), default=timezone.now())
            # It was checked after the time of the start was taken, and before its event was written.
            told = Event.objects.filter(kind=MATCH_STARTED.code, created_at__gt=it.ended, created_at__lt=until)
            matches = Match.objects.filter(started_at__gt=it.ended, pk__in=[event.data["match"] for event in told])
            for account in it.accounts:
                matches = matches.filter(Q(player_one=account) | Q(player_two=account))
            yield from matches


def unexpected(answers: list[Any]) -> list[BaseException]:
    """Errors that are not refusals."""
    return [it for it in answers if isinstance(it, BaseException) and not isinstance(it, Refusal)]
