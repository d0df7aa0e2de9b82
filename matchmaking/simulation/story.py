"""Day by day until now: the night's decay, then the day's play.

A worker and a beat may run beside it, and real players may play on the same ladder: waves, sweeps and signs of life of
the story are among its own people. Each day's play is one transaction, so nobody else sees a ticket, an offer or a
match of the past before its story is told; and as long as it lasts, the lock of the ladder's decay keeps all others
from the nights that belong to it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from random import Random

from django.db import transaction
from django.utils import timezone

from ladder.models import DecayRun, Ladder, Match, Standing
from ladder.rules import calendar
from ladder.rules.match_life import State
from ladder.rules.tiers import tier_of
from ladder.services import decay
from ladder.services.decay import locks, nights
from matchmaking.simulation import clock, endings, population
from matchmaking.simulation.evening import Evening
from matchmaking.simulation.ladders import check_empty
from matchmaking.simulation.population import Person
from matchmaking.simulation.records import Record

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10_000
MOST_DAYS = 3650
# People come around this hour of the ladder's time zone, most within so many hours of it.
BUSIEST, SPREAD = 19, 0.4
OPENS, CLOSES = timedelta(hours=10), timedelta(hours=20, minutes=30)
# The outage begins after this share of the story, and lasts so many days.
OUTAGE_AFTER, OUTAGE_DAYS = 0.6, 2
LAST_PLAYERS = 24


@dataclass(frozen=True, slots=True)
class Plan:
    """How many people, over how many days; the usual player comes ``visits`` times a day, for a match or more.

    ``stem`` is what their names begin with. With the same ``seed`` the same happens, but for the last day, which goes
    only as far as the story's end.
    """

    players: int
    days: int
    visits: float
    stem: str = "sim"
    seed: int = 1


def tell(
    ladder: Ladder, plan: Plan, *, end: datetime | None = None, progress: Callable[[int], object] = lambda _: None
) -> Record:
    """Let a new population play on the ladder for some days that end now, or at ``end``.

    ``progress`` is told of each day; what is told stays, whatever happens later. Raises ``Conflict`` when somebody
    stands on the ladder, and while others work at it. Must not be called inside a transaction.
    """
    with locks.alone(ladder), _quiet_nights():
        check_empty(ladder)
        return _Teller(ladder, plan, end or timezone.now()).tell(progress)


class _Teller:
    def __init__(self, ladder: Ladder, plan: Plan, end: datetime) -> None:
        self.ladder, self.plan, self.end, self.rng = ladder, plan, end, Random(plan.seed)
        last = calendar.day_of(end, ladder.zone)
        self.days = list(calendar.days(last - timedelta(days=plan.days - 1), last, ladder.zone))
        outage = int(len(self.days) * OUTAGE_AFTER)
        self.outage = self.days[outage : outage + OUTAGE_DAYS] if len(self.days) > 2 * OUTAGE_DAYS else []
        start, last_morning = (calendar.start_of(self.days[n], ladder.zone) for n in (0, -1))
        with transaction.atomic(), clock.at(start):
            _begin_at(ladder, start)
            self.record = Record(
                ladder,
                population.moderator(start),
                population.people(ladder, plan.stem, plan.players, self.rng, start, last_morning),
            )

    def tell(self, progress: Callable[[int], object]) -> Record:
        for day in self.days:
            self._night(day)
            if day not in self.outage:
                with transaction.atomic():
                    self._play(day)
            progress(1)
        with transaction.atomic():
            self._last_matches()
        return self.record

    def _night(self, day: date) -> None:
        morning = min(calendar.start_of(day, self.ladder.zone) + timedelta(minutes=5), self.end)
        with clock.at(morning):
            if self.outage and day == self.outage[0]:
                decay.declare_pause(
                    self.ladder, first_day=day, last_day=self.outage[-1], actor=self.record.moderator,
                    reason="The servers move to a new home.",
                )  # fmt: skip
            self.record.charged += sum(run.standings for run in decay.bring_up_to_date(self.ladder))
        self._look_at_the_board(day, morning)

    def _look_at_the_board(self, day: date, now: datetime) -> None:
        """Write down the sizes of the tiers; whoever stands as high as he wished plays no more."""
        tiers = self.ladder.rules.tiers
        people = {person.account.pk: person for person in self.record.people}
        played = Standing.objects.filter(ladder=self.ladder, player__in=people, last_ranked_at__isnull=False)
        sizes = self.record.tiers[day] = Counter()
        for player, rating in played.values_list("player_id", "rating"):
            if (tier := tier_of(tiers, rating)) is not None:
                sizes[tier.name] += 1
            person = people[player]
            if person.content_at is not None and rating >= person.content_at:
                person.leaves_at = person.leaves_at or now

    def _play(self, day: date) -> None:
        midnight = calendar.start_of(day, self.ladder.zone)
        # Whoever comes today plays to the end today: the longest match takes three hours.
        closing = min(midnight + CLOSES, self.end - timedelta(hours=4))
        evening = self._evening(closing)
        for person in self.record.people:
            for _ in range(self._visits(person)):
                hour = min(
                    max(self.rng.gauss(BUSIEST, SPREAD), OPENS / timedelta(hours=1)), CLOSES / timedelta(hours=1)
                )
                come = midnight + timedelta(hours=hour)
                evening.at(come, partial(evening.arrive, person))
        evening.run()

    def _visits(self, person: Person) -> int:
        """How often he comes today: chance by his keenness."""
        wish = person.keenness * self.plan.visits
        return int(wish) + (self.rng.random() < wish % 1)

    def _last_matches(self) -> None:
        """Some matches of the last hour that wait for a word of the opponent, or of a moderator."""
        begin = self.end - timedelta(minutes=50)
        evening = self._evening(self.end - timedelta(minutes=30), endings.STILL_OPEN)
        active = [person for person in self.record.people if person.plays_at(begin)]
        for person in self.rng.sample(active, min(len(active), max(self.plan.players // 5, 2), LAST_PLAYERS)):
            evening.at(begin + timedelta(seconds=self.rng.uniform(0, 60)), partial(evening.arrive, person))
        evening.run()
        open_matches = Match.objects.filter(ladder=self.ladder)
        claimed = open_matches.filter(state=State.AWAITING_CONFIRMATION).order_by("-pk").first()
        if claimed is not None and not open_matches.filter(state=State.DISPUTED).exists():
            # However the dice fell, moderators find work.
            with clock.at(self.end):
                endings.dispute(claimed)

    def _evening(self, closing: datetime, stories: dict[endings.Story, int] = endings.USUAL) -> Evening:
        return Evening(self.record, self.rng, closing=closing, end=self.end, stories=stories)


def _begin_at(ladder: Ladder, start: datetime) -> None:
    """Let a ladder on which nobody has played begin with the story, so that its nights can be worked off in order."""
    DecayRun.objects.filter(ladder=ladder).delete()
    Ladder.objects.filter(pk=ladder.pk).update(created_at=start)
    ladder.created_at = start


@contextmanager
def _quiet_nights() -> Iterator[None]:
    """What the nightly job says of each night would be said a hundred times over, across the progress bar."""
    level = nights.log.level
    nights.log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        nights.log.setLevel(level)
