"""Running a simulation: for each day the decay, then the play.

Other workers can run at the same time, and real players can play on the same ladder: waves, sweeps and heartbeats of
the simulation are only for its own players. The play of a day is one transaction, so others do not see its tickets,
offers and matches before they are complete. The lock of the ladder's decay is held, so that no other worker runs the
days.
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
from ladder.services.decay import locks, runs
from matchmaking.simulation import clock, endings, population
from matchmaking.simulation.day import SimulatedDay
from matchmaking.simulation.ladders import check_empty
from matchmaking.simulation.population import Person
from matchmaking.simulation.records import Record

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10_000
MOST_DAYS = 3650
# Players arrive around this hour in the ladder's time zone, with this standard deviation in hours.
BUSIEST, SPREAD = 19, 0.4
OPENS, CLOSES = timedelta(hours=10), timedelta(hours=20, minutes=30)
# A decay pause begins after this share of the days, and has so many days.
OUTAGE_AFTER, OUTAGE_DAYS = 0.6, 2
LAST_PLAYERS = 24


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of players and days. The usual player comes ``visits`` times a day, for one match or more.

    ``stem`` is the start of the usernames. The same ``seed`` gives the same simulation, except for the last day, which
    ends at the present time.
    """

    players: int
    days: int
    visits: float
    stem: str = "sim"
    seed: int = 1


def simulate(
    ladder: Ladder, plan: Plan, *, end: datetime | None = None, progress: Callable[[int], object] = lambda _: None
) -> Record:
    """Simulate new players on the ladder for some days that end now, or at ``end``.

    ``progress`` is called after each day, and the finished days are saved. Raises ``Conflict`` if the ladder has
    standings, or if another worker runs its decay. Must not be called in a transaction.
    """
    with locks.decay_lock(ladder), _quiet_decay():
        check_empty(ladder)
        return _Simulation(ladder, plan, end or timezone.now()).run(progress)


class _Simulation:
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

    def run(self, progress: Callable[[int], object]) -> Record:
        for day in self.days:
            self._run_decay(day)
            if day not in self.outage:
                with transaction.atomic():
                    self._play(day)
            progress(1)
        with transaction.atomic():
            self._last_matches()
        return self.record

    def _run_decay(self, day: date) -> None:
        morning = min(calendar.start_of(day, self.ladder.zone) + timedelta(minutes=5), self.end)
        with clock.at(morning):
            if self.outage and day == self.outage[0]:
                decay.declare_pause(
                    self.ladder, first_day=day, last_day=self.outage[-1], actor=self.record.moderator,
                    reason="The servers are replaced.",
                )  # fmt: skip
            self.record.charged += sum(run.standings for run in decay.bring_up_to_date(self.ladder))
        self._record_tiers(day, morning)

    def _record_tiers(self, day: date, now: datetime) -> None:
        """Record the sizes of the tiers, and let players leave who have the rating at which they stop."""
        tiers = self.ladder.rules.tiers
        people = {person.account.pk: person for person in self.record.people}
        played = Standing.objects.filter(ladder=self.ladder, player__in=people, last_ranked_at__isnull=False)
        sizes = self.record.tiers[day] = Counter()
        for player, rating in played.values_list("player_id", "rating"):
            if (tier := tier_of(tiers, rating)) is not None:
                sizes[tier.name] += 1
            person = people[player]
            if person.stops_at is not None and rating >= person.stops_at:
                person.leaves_at = person.leaves_at or now

    def _play(self, day: date) -> None:
        midnight = calendar.start_of(day, self.ladder.zone)
        # All matches of the day end on the same day: the longest one takes three hours.
        closing = min(midnight + CLOSES, self.end - timedelta(hours=4))
        simulated = self._day(closing)
        for person in self.record.people:
            for _ in range(self._visits(person)):
                hour = min(
                    max(self.rng.gauss(BUSIEST, SPREAD), OPENS / timedelta(hours=1)), CLOSES / timedelta(hours=1)
                )
                come = midnight + timedelta(hours=hour)
                simulated.at(come, partial(simulated.arrive, person))
        simulated.run()

    def _visits(self, person: Person) -> int:
        """How often the player comes today: random, by activity."""
        expected = person.activity * self.plan.visits
        return int(expected) + (self.rng.random() < expected % 1)

    def _last_matches(self) -> None:
        """Play some matches in the last hour that wait for the opponent or for a moderator."""
        begin = self.end - timedelta(minutes=50)
        simulated = self._day(self.end - timedelta(minutes=30), endings.STILL_OPEN)
        active = [person for person in self.record.people if person.plays_at(begin)]
        for person in self.rng.sample(active, min(len(active), max(self.plan.players // 5, 2), LAST_PLAYERS)):
            simulated.at(begin + timedelta(seconds=self.rng.uniform(0, 60)), partial(simulated.arrive, person))
        simulated.run()
        open_matches = Match.objects.filter(ladder=self.ladder)
        claimed = open_matches.filter(state=State.AWAITING_CONFIRMATION).order_by("-pk").first()
        if claimed is not None and not open_matches.filter(state=State.DISPUTED).exists():
            # There is always at least one dispute for the moderators.
            with clock.at(self.end):
                endings.dispute(claimed)

    def _day(self, closing: datetime, weights: dict[endings.MatchEnding, int] = endings.USUAL) -> SimulatedDay:
        return SimulatedDay(self.record, self.rng, closing=closing, end=self.end, weights=weights)


def _begin_at(ladder: Ladder, start: datetime) -> None:
    """Set the creation time of an empty ladder to the start, so that its days of decay can be run in order."""
    DecayRun.objects.filter(ladder=ladder).delete()
    Ladder.objects.filter(pk=ladder.pk).update(created_at=start)
    ladder.created_at = start


@contextmanager
def _quiet_decay() -> Iterator[None]:
    """Without the log messages of the nightly job, one for each day, which would disturb the progress bar."""
    level = runs.log.level
    runs.log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        runs.log.setLevel(level)
