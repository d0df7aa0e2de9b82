"""Who plays: a skill that the ladder does not know, and habits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count, islice
from random import Random

from ladder.models import Ladder, User
from ladder.services.roles import ensure_moderators

SKILL_SPREAD = 180
NEWCOMERS, LEAVERS = 0.25, 0.2
MODERATOR = "moderator01"


@dataclass(eq=False, slots=True)
class Person:
    """``skill`` is on the scale of ratings; ``keenness`` is how often he comes, 1 for the usual player.

    He plays between ``joins_at`` and ``leaves_at``, not before ``free_at``, and takes any of his ``lengths``.
    """

    account: User
    skill: Decimal
    keenness: float
    lengths: list[int]
    joins_at: datetime
    leaves_at: datetime
    free_at: datetime

    def plays_at(self, moment: datetime) -> bool:
        return max(self.joins_at, self.free_at) <= moment < self.leaves_at


def people(ladder: Ladder, number: int, rng: Random, start: datetime, end: datetime) -> list[Person]:
    """So many new accounts: player01, player02, ..., leaving out the names that are taken."""
    free = (name for n in count(1) if not User.objects.is_taken(name := f"player{n:02}"))
    return [_person(name, ladder, rng, start, end) for name in islice(free, number)]


def moderator() -> User:
    """Who rules the disputes of the simulation."""
    taken = User.objects.is_taken(MODERATOR)
    account = User.objects.named(MODERATOR) if taken else User.objects.create_user(MODERATOR)
    account.groups.add(ensure_moderators())
    return account


def _person(name: str, ladder: Ladder, rng: Random, start: datetime, end: datetime) -> Person:
    period = end - start
    joins = start + period * rng.uniform(0.1, 0.6) if rng.random() < NEWCOMERS else start
    leaves = start + period * rng.uniform(0.2, 0.5) if joins == start and rng.random() < LEAVERS else end
    lengths = ladder.match_lengths
    first = rng.randrange(max(len(lengths) - 3, 1))
    return Person(
        account=User.objects.create_user(name, date_joined=joins),
        skill=ladder.rules.start + round(Decimal(rng.gauss(0, SKILL_SPREAD))),
        keenness=min(rng.lognormvariate(0, 0.6), 4),
        lengths=lengths[first : first + rng.choice([3, 4, 5, 9])],
        joins_at=joins,
        leaves_at=max(leaves, joins + timedelta(days=1)),
        free_at=joins,
    )
