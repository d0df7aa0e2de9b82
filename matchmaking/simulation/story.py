"""Day by day until now: the night's decay, then the day's play.

A worker and a beat may run beside it, on the same ladder. Each day's play is one transaction, so nobody else sees a
ticket, an offer or a match of the past before its story is told; and as long as it lasts, the locks of the ladder's
waves and decay keep all others from the work that belongs to a simulated day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from random import Random

from django.db import transaction
from django.utils import timezone

from ladder.models import DecayRun, Ladder, Match, Standing, User
from ladder.rules import calendar
from ladder.rules.tiers import tier_of
from ladder.services import advisory, decay
from ladder.services.decay import locks
from ladder.services.errors import Conflict, Invalid
from matchmaking.models import Ticket
from matchmaking.services import waves
from matchmaking.simulation import clock, endings, population
from matchmaking.simulation.evening import Evening
from matchmaking.simulation.population import Person
from matchmaking.simulation.records import Record

# People come around this hour of the ladder's time zone, most within so many hours of it.
BUSIEST, SPREAD = 19, 0.4
OPENS, CLOSES = timedelta(hours=10), timedelta(hours=20, minutes=30)
# The outage begins after this share of the story, and lasts so many days.
OUTAGE_AFTER, OUTAGE_DAYS = 0.6, 2
LAST_PLAYERS = 24


@dataclass(frozen=True, slots=True)
class Plan:
    """How many people, over how many days; the usual player comes ``visits`` times a day, for a match or more."""

    players: int
    days: int
    visits: float
    seed: int = 1


def tell(
    ladder: Ladder, plan: Plan, *, force: bool = False, progress: Callable[[int], object] = lambda _: None
) -> Record:
    """Let a new population play on the ladder for some days that end now. The same seed gives the same story.

    ``progress`` is told of each day. Raises ``Invalid`` for fewer than two players or no day, ``Conflict`` when the
    ladder has matches already (unless ``force``), while somebody waits on it, and while others work at it. Must not
    be called inside a transaction. Where nights were worked off already, none of the story's is charged.
    """
    if plan.players < 2 or plan.days < 1:
        raise Invalid("too_few", "It takes at least two players and one day.")
    played = Match.objects.filter(ladder=ladder).exists()
    if played and not force:
        raise Conflict("not_empty", f"The ladder {ladder.slug!r} has matches already.")
    if Ticket.objects.filter(ladder=ladder, state__in=Ticket.LIVE).exists():
        raise Conflict("queue_not_empty", f"Somebody waits for a match on the ladder {ladder.slug!r}.")
    with locks.alone(ladder), advisory.alone(waves.LOCK_CLASS, ladder):
        return _Teller(ladder, plan, fresh=not played).tell(progress)


class _Teller:
    def __init__(self, ladder: Ladder, plan: Plan, *, fresh: bool) -> None:
        self.ladder, self.plan, self.rng = ladder, plan, Random(plan.seed)
        self.now = timezone.now()
        today = calendar.day_of(self.now, ladder.zone)
        self.days = list(calendar.days(today - timedelta(days=plan.days - 1), today, ladder.zone))
        start = calendar.start_of(self.days[0], ladder.zone)
        if fresh:
            _begin_at(ladder, start)
        self.moderator: User = population.moderator()
        self.record = Record(population.people(ladder, plan.players, self.rng, start, self.now))
        outage = int(len(self.days) * OUTAGE_AFTER)
        self.outage = self.days[outage : outage + OUTAGE_DAYS] if len(self.days) > 2 * OUTAGE_DAYS else []

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
        with clock.at(min(calendar.start_of(day, self.ladder.zone) + timedelta(minutes=5), self.now)):
            if self.outage and day == self.outage[0]:
                decay.declare_pause(
                    self.ladder, first_day=day, last_day=self.outage[-1], actor=self.moderator,
                    reason="The servers move to a new home.",
                )  # fmt: skip
            self.record.charged += sum(run.standings for run in decay.bring_up_to_date(self.ladder))
        self.record.tiers[day] = self._tiers()

    def _tiers(self) -> Counter[str]:
        tiers = self.ladder.rules.tiers
        ours = [person.account.pk for person in self.record.people]
        played = Standing.objects.filter(ladder=self.ladder, player__in=ours, last_ranked_at__isnull=False)
        found = (tier_of(tiers, rating) for rating in played.values_list("rating", flat=True))
        return Counter(tier.name for tier in found if tier is not None)

    def _play(self, day: date) -> None:
        midnight = calendar.start_of(day, self.ladder.zone)
        # Whoever comes today plays to the end today: the longest match takes three hours.
        closing = min(midnight + CLOSES, self.now - timedelta(hours=4))
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
        begin = self.now - timedelta(minutes=50)
        evening = self._evening(self.now - timedelta(minutes=30), endings.STILL_OPEN)
        active = [person for person in self.record.people if person.plays_at(begin)]
        for person in self.rng.sample(active, min(len(active), max(self.plan.players // 5, 2), LAST_PLAYERS)):
            evening.at(begin + timedelta(seconds=self.rng.uniform(0, 60)), partial(evening.arrive, person))
        evening.run()

    def _evening(self, closing: datetime, stories: dict[endings.Story, int] = endings.USUAL) -> Evening:
        return Evening(
            self.ladder, self.record, self.rng, moderator=self.moderator, closing=closing, end=self.now,
            stories=stories,
        )  # fmt: skip


def _begin_at(ladder: Ladder, start: datetime) -> None:
    """Let a ladder on which nobody has played begin with the story, so that its nights can be worked off in order."""
    DecayRun.objects.filter(ladder=ladder).delete()
    Ladder.objects.filter(pk=ladder.pk).update(created_at=start)
    ladder.created_at = start
