"""One day of play: players join the queue, are paired, answer offers, play and report results."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from random import Random

from django.conf import settings

from common.errors import Conflict
from events.services import presence
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers, sweeps
from matchmaking.models import Offer, Ticket
from matchmaking.pairing.nominal import for_pairing
from matchmaking.queries.tickets import silence_limit
from matchmaking.services import arranged, delivery, tickets, waves
from matchmaking.simulation import clock, endings
from matchmaking.simulation.endings import Board, MatchEnding
from matchmaking.simulation.population import Person
from matchmaking.simulation.records import Game, Record

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
FIRST_WAVE, RAREST_WAVE = 8 * SECOND, 64 * SECOND
# In a thousand offers: accepted, declined, seen but not answered. The rest is not seen, as the player is away.
ACCEPTS, DECLINES, IGNORES = 955, 20, 15
CHALLENGES = 0.04
PLAYS_AGAIN = 0.4

Action = Callable[[datetime], None]


class SimulatedDay:
    """The play of one day. No player arrives after ``closing``. :meth:`run` ends when all matches are over."""

    def __init__(
        self, record: Record, rng: Random, *, closing: datetime, end: datetime,
        weights: dict[MatchEnding, int] = endings.USUAL,
    ) -> None:  # fmt: skip
        """Matches and deadlines end before ``end``. Later ones stay open."""
        self.ladder, self.record, self.rng = record.ladder, record, rng
        self.closing, self.end, self.endings = closing, end, weights
        self.people = {person.account.pk: person for person in record.people}
        self.waiting: dict[int, Ticket] = {}
        self.away: set[int] = set()
        self.open: dict[object, Match] = {}
        self.last_heartbeat: datetime | None = None
        self.next_wave: datetime | None = None
        self.pause = FIRST_WAVE
        self._actions: list[tuple[datetime, int, Action]] = []
        self._numbers = count()

    def at(self, moment: datetime, action: Action) -> None:
        heapq.heappush(self._actions, (moment, next(self._numbers), action))

    def run(self) -> None:
        while self._actions:
            moment, _, action = heapq.heappop(self._actions)
            with clock.at(moment):
                action(moment)

    def arrive(self, person: Person, now: datetime) -> None:
        """The player joins the queue, or sometimes challenges another player."""
        if person.account.pk in self.waiting or not person.plays_at(now) or now > self.closing:
            return
        if self.rng.random() < CHALLENGES:
            friends = [it for it in self.record.people if it is not person and it.plays_at(now)]
            if friends:
                self._challenge(person, self.rng.choice(friends), now)
                return
        try:
            ticket, is_new = tickets.join_queue(person.account, self.ladder, person.lengths)
        except Conflict as refusal:
            if refusal.until is not None:
                self.at(refusal.until + SECOND, partial(self.arrive, person))
            return
        if is_new:  # otherwise the player has an offer
            self._wait(person, ticket, now)
            self._run_wave_soon(now)

    def _wait(self, person: Person, ticket: Ticket, now: datetime) -> None:
        self.waiting[person.account.pk] = ticket
        self.at(now + self.rng.uniform(5, 15) * MINUTE, partial(self._give_up, person, ticket))

    def _run_wave_soon(self, now: datetime) -> None:
        """Run a wave soon, because a ticket is new in the queue."""
        self.pause = FIRST_WAVE
        self._wave_at(now + SECOND)

    def _wave_at(self, moment: datetime) -> None:
        if len(self.waiting) > 1 and (self.next_wave is None or moment < self.next_wave):
            self.next_wave = moment
            self.at(moment, self._wave)

    def _wave(self, now: datetime) -> None:
        if now != self.next_wave:
            return
        self.next_wave = None
        self._send_heartbeats(now)
        # Other players on the ladder live in the real time, and must not be paired here.
        own = list(self.waiting)
        if waves.pair_waiting(self.ladder, among=own).offers:
            self.pause = FIRST_WAVE
            new = Offer.objects.filter(match__player_one__in=own, outcome=Offer.Outcome.OPEN)
            for offer in new.exclude(pk__in=list(self.open)).select_related("match").order_by("pk"):
                self._offered(offer, now)
        # Without new tickets, only the windows get wider, so the waves become rarer.
        self._wave_at(now + self.pause)
        self.pause = min(2 * self.pause, RAREST_WAVE)

    def _send_heartbeats(self, now: datetime) -> None:
        """Heartbeats of the waiting players who are not away, as often as their clients send them."""
        if self.last_heartbeat is None or now - self.last_heartbeat >= timedelta(
            seconds=settings.EVENT_HEARTBEAT_SECONDS
        ):
            self.last_heartbeat = now
            presence.record_seen(self.waiting.keys() - self.away)

    def _offered(self, offer: Offer, now: datetime) -> None:
        match = offer.match
        self.open[match.pk] = match
        for account in (match.player_one_id, match.player_two_id):
            self.waiting.pop(account, None)
            if account not in self.away:
                self._decide(offer, self.people[account], now + self.rng.uniform(2, 15) * SECOND)
        self.at(now + timedelta(seconds=settings.MATCH_OFFER_SECONDS + 1), partial(self._expire, match))

    def _decide(self, offer: Offer, person: Person, moment: datetime) -> None:
        dice = self.rng.randrange(1000)
        if dice < ACCEPTS:
            self.at(moment, partial(self._accept, offer, person))
        elif dice < ACCEPTS + DECLINES:
            self.at(moment, partial(self._decline, offer.match, person))
        elif dice < ACCEPTS + DECLINES + IGNORES:
            delivery.record_shown(person.account.pk, [offer.pk])
        else:
            self.away.add(person.account.pk)

    def _accept(self, offer: Offer, person: Person, now: datetime) -> None:
        if offer.match.pk in self.open:
            match = offers.accept(offer.match.pk, person.account).match
            if match.state == State.IN_PROGRESS:
                del self.open[match.pk]
                self.record.offers["accepted"] += 1
                waited = dict(offer.sides.values_list("seat", "waited"))
                self._play(match, now, offer.win_probability, (waited[1], waited[2]))

    def _decline(self, match: Match, person: Person, now: datetime) -> None:
        if self.open.pop(match.pk, None):
            offers.decline(match.pk, person.account)
            self.record.offers["declined"] += 1
            self._offer_cancelled(match, now)

    def _expire(self, match: Match, now: datetime) -> None:
        if self.open.pop(match.pk, None):
            sweeps.expire(match.pk)
            self.record.offers["expired"] += 1
            self._offer_cancelled(match, now)

    def _offer_cancelled(self, match: Match, now: datetime) -> None:
        """Players without fault are in the queue again. The others come back a little later."""
        back = {it.account_id: it for it in Ticket.objects.filter(offer_sides__offer=match.pk, state__in=Ticket.LIVE)}
        for account in (match.player_one_id, match.player_two_id):
            person = self.people[account]
            if account not in back:
                self.at(now + self.rng.uniform(0.5, 3) * MINUTE, partial(self.arrive, person))
            elif account in self.away:
                self.waiting[account] = back[account]
                self.at(now + silence_limit() + SECOND, self._remove_silent)
            else:
                self._wait(person, back[account], now)
        self._run_wave_soon(now)

    def _remove_silent(self, _now: datetime) -> None:
        tickets.remove_silent(among=self.away)
        live = Ticket.objects.filter(account__in=self.away, state__in=Ticket.LIVE)
        for account in self.away - set(live.values_list("account_id", flat=True)):
            self.waiting.pop(account, None)
            self.away.discard(account)

    def _give_up(self, person: Person, ticket: Ticket, _now: datetime) -> None:
        if self.waiting.get(person.account.pk) is ticket:
            tickets.cancel(ticket.pk, person.account)
            del self.waiting[person.account.pk]
            self.record.gave_up += 1

    def _challenge(self, one: Person, two: Person, now: datetime) -> None:
        match, _ = arranged.challenge(
            one.account, two.account.username, self.ladder, match_length=self.rng.choice(one.lengths)
        )
        match = offers.accept(match.pk, two.account).match
        self._play(match, now)

    def _play(
        self, match: Match, now: datetime, predicted: float | None = None, waited: tuple[float, float] = (0, 0)
    ) -> None:
        one, two = self.people[match.player_one_id], self.people[match.player_two_id]
        chance = for_pairing(self.ladder.rules.system).win_probability(one.skill, two.skill, match.match_length)
        one_wins = self.rng.random() < chance
        winner, loser = (one, two) if one_wins else (two, one)
        if predicted is not None:
            self.record.games.append(Game(predicted, one_wins, match.match_length, waited))
        board = Board(
            match, winner.account, loser.account, self.rng.randrange(match.match_length), self.record.moderator
        )  # fmt: skip
        over = min(now + match.match_length * self.rng.uniform(3, 7) * MINUTE, self.end)
        self.at(over, partial(self._finish, board))

    def _finish(self, board: Board, now: datetime) -> None:
        ending = endings.choose(self.endings, self.rng)
        ending(board)
        players = [self.people[board.winner.pk], self.people[board.loser.pk]]
        if ending is endings.claim:
            # The loser cannot start another match before the deadline. The winner could, but that match would settle
            # before this one, at a later simulated time.
            deadline = now + timedelta(hours=settings.MATCH_CONFIRM_HOURS) + MINUTE
            for person in players:
                person.free_at = max(person.free_at, deadline)
            if deadline < self.end:
                self.at(deadline, partial(self._pass_deadline, board))
            return
        for person in players:
            if self.rng.random() < PLAYS_AGAIN:
                self.at(now + self.rng.uniform(1, 10) * MINUTE, partial(self.arrive, person))

    def _pass_deadline(self, board: Board, _now: datetime) -> None:
        sweeps.confirm_overdue(board.match.pk)
