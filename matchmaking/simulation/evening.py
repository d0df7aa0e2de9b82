"""One day's play: players queue, waves pair them, they accept or let offers go, play, and tell how it ended."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from random import Random

from django.conf import settings

from ladder.models import Ladder, Match, User
from ladder.rules.match_life import State
from ladder.rules.ranked import Origin
from ladder.services import offers as ladder_offers
from ladder.services import presence, reporting, sweeps
from ladder.services.errors import Conflict
from matchmaking.models import Offer, Ticket
from matchmaking.services import offers, tickets, waves
from matchmaking.simulation import clock, endings
from matchmaking.simulation.endings import Board, Story
from matchmaking.simulation.population import Person
from matchmaking.simulation.records import Game, Record

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
FIRST_WAVE, RAREST_WAVE = 8 * SECOND, 64 * SECOND
# How often in a thousand; those who do not accept decline, look on, or have left the room.
ACCEPTS, DECLINES, LOOKS_ON = 955, 20, 15
CHALLENGES = 0.04
PLAYS_AGAIN = 0.4

Act = Callable[[datetime], None]


class Evening:
    """The play of one day. Nobody arrives after ``closing``; :meth:`run` ends when the last player has gone home."""

    def __init__(
        self, ladder: Ladder, record: Record, rng: Random, *, moderator: User, closing: datetime, end: datetime,
        stories: dict[Story, int] = endings.USUAL,
    ) -> None:  # fmt: skip
        """Matches end, and deadlines pass, before ``end``; what would come later stays open."""
        self.ladder, self.record, self.rng, self.moderator = ladder, record, rng, moderator
        self.closing, self.end, self.stories = closing, end, stories
        self.people = {person.account.pk: person for person in record.people}
        self.waiting: dict[int, Person] = {}
        self.away: set[int] = set()
        self.open: dict[object, Match] = {}
        self.next_wave: datetime | None = None
        self.pause = FIRST_WAVE
        self._acts: list[tuple[datetime, int, Act]] = []
        self._numbers = count()

    def at(self, moment: datetime, act: Act) -> None:
        heapq.heappush(self._acts, (moment, next(self._numbers), act))

    def run(self) -> None:
        while self._acts:
            moment, _, act = heapq.heappop(self._acts)
            with clock.at(moment):
                act(moment)

    def arrive(self, person: Person, now: datetime) -> None:
        """He asks for a ranked match, or now and then for one with a friend."""
        if person.account.pk in self.waiting or not person.plays_at(now) or now > self.closing:
            return
        friends = [it for it in self.record.people if it is not person and it.plays_at(now)]
        if friends and self.rng.random() < CHALLENGES:
            self._challenge(person, self.rng.choice(friends), now)
            return
        try:
            ticket, _ = tickets.enter(person.account, self.ladder, person.lengths)
        except Conflict as refusal:
            if refusal.until is not None:
                self.at(refusal.until + SECOND, partial(self.arrive, person))
            return
        self.waiting[person.account.pk] = person
        self.at(now + self.rng.uniform(5, 15) * MINUTE, partial(self._give_up, person, ticket))
        self._soon(now)

    def _soon(self, now: datetime) -> None:
        """Somebody came into the queue."""
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
        presence.seen(self.waiting.keys() - self.away)
        if waves.pair_waiting(self.ladder).offers:
            self.pause = FIRST_WAVE
            new = Offer.objects.filter(match__ladder=self.ladder, outcome=Offer.Outcome.OPEN)
            for offer in new.exclude(pk__in=list(self.open)).select_related("match").order_by("pk"):
                self._offered(offer, now)
        # As long as nobody comes, only the windows widen, and there is less and less to find.
        self._wave_at(now + self.pause)
        self.pause = min(2 * self.pause, RAREST_WAVE)

    def _offered(self, offer: Offer, now: datetime) -> None:
        match = offer.match
        self.open[match.pk] = match
        for account in (match.player_one_id, match.player_two_id):
            self.waiting.pop(account, None)
            if (person := self.people.get(account)) is not None and account not in self.away:
                self._decide(offer, person, now + self.rng.uniform(2, 15) * SECOND)
        self.at(now + timedelta(seconds=settings.MATCH_OFFER_SECONDS + 1), partial(self._expire, match))

    def _decide(self, offer: Offer, person: Person, moment: datetime) -> None:
        dice = self.rng.randrange(1000)
        if dice < ACCEPTS:
            self.at(moment, partial(self._accept, offer, person))
        elif dice < ACCEPTS + DECLINES:
            self.at(moment, partial(self._decline, offer.match, person))
        elif dice < ACCEPTS + DECLINES + LOOKS_ON:
            offers.shown(person.account)
        else:
            self.away.add(person.account.pk)

    def _accept(self, offer: Offer, person: Person, now: datetime) -> None:
        if offer.match.pk in self.open:
            match = reporting.accept(offer.match.pk, person.account).match
            if match.state == State.IN_PROGRESS:
                del self.open[match.pk]
                self.record.offers["accepted"] += 1
                waited = dict(offer.sides.values_list("seat", "waited"))
                self._play(match, now, offer.win_probability, (waited[1], waited[2]))

    def _decline(self, match: Match, person: Person, now: datetime) -> None:
        if self.open.pop(match.pk, None):
            reporting.decline(match.pk, person.account)
            self.record.offers["declined"] += 1
            self._called_off(match, now)

    def _expire(self, match: Match, now: datetime) -> None:
        if self.open.pop(match.pk, None):
            sweeps.expire(match.pk)
            self.record.offers["expired"] += 1
            self._called_off(match, now)

    def _called_off(self, match: Match, now: datetime) -> None:
        """Who lost nothing by it waits on; who was at fault comes again, or thinks better of it."""
        back = set(
            match.offer.sides.filter(ticket__state=Ticket.State.WAITING).values_list("ticket__account", flat=True)
        )
        for account in (match.player_one_id, match.player_two_id):
            person = self.people.get(account)
            if person is None:
                continue
            if account not in back:
                self.at(now + self.rng.uniform(0.5, 3) * MINUTE, partial(self.arrive, person))
                continue
            self.waiting[account] = person
            if account in self.away:
                self.at(now + tickets.silence() + SECOND, self._remove_silent)
            else:
                ticket = tickets.live_ticket(person.account)
                assert ticket is not None
                self.at(now + self.rng.uniform(5, 15) * MINUTE, partial(self._give_up, person, ticket))
        self._soon(now)

    def _remove_silent(self, _now: datetime) -> None:
        tickets.remove_silent()
        live = Ticket.objects.filter(account__in=self.away, state__in=Ticket.LIVE)
        for account in self.away - set(live.values_list("account_id", flat=True)):
            self.waiting.pop(account, None)
            self.away.discard(account)

    def _give_up(self, person: Person, ticket: Ticket, _now: datetime) -> None:
        ticket.refresh_from_db(fields=["state"])
        if ticket.state == Ticket.State.WAITING:
            tickets.cancel(ticket.pk, person.account)
            self.waiting.pop(person.account.pk, None)
            self.away.discard(person.account.pk)
            self.record.gave_up += 1

    def _challenge(self, one: Person, two: Person, now: datetime) -> None:
        match = ladder_offers.offer_match(
            self.ladder, one.account, two.account, match_length=self.rng.choice(one.lengths), origin=Origin.CHALLENGE
        )
        reporting.accept(match.pk, one.account)
        match = reporting.accept(match.pk, two.account).match
        self._play(match, now)

    def _play(
        self, match: Match, now: datetime, predicted: float | None = None, waited: tuple[float, float] = (0, 0)
    ) -> None:
        one, two = self.people[match.player_one_id], self.people[match.player_two_id]
        chance = self.ladder.rules.system.win_probability(one.skill, two.skill, match.match_length)
        one_wins = self.rng.random() < chance
        winner, loser = (one, two) if one_wins else (two, one)
        if predicted is not None:
            self.record.games.append(Game(predicted, one_wins, match.match_length, waited))
        board = Board(
            match, winner.account, loser.account, self.rng.randrange(match.match_length), self.moderator
        )  # fmt: skip
        over = min(now + match.match_length * self.rng.uniform(3, 7) * MINUTE, self.end)
        self.at(over, partial(self._finish, board))

    def _finish(self, board: Board, now: datetime) -> None:
        story = endings.choose(self.stories, self.rng)
        story(board)
        players = [self.people[board.winner.pk], self.people[board.loser.pk]]
        if story is endings.claim:
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
