"""The players of a simulation: their skill, which the ladder does not know, and their habits."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count, islice
from random import Random

from django.db import transaction

from accounts.models import User
from accounts.services import audit
from accounts.services.roles import ensure_moderators
from ladder.models import Ladder
from ladder.rules import decay

SKILL_SPREAD = 180
NEWCOMERS, LEAVERS = 0.25, 0.2
# The share of strong, active players who stop playing at a rating so many points above the floor of decay. They play
# long matches, in which skill has more effect.
STOPPERS, STOPPER_ACTIVITY = 0.1, 5
STOPS_FROM, STOPS_TO = 15, 75


@dataclass(eq=False, slots=True)
class Person:
    """A player. ``skill`` is on the scale of ratings; ``activity`` is how often the player comes, 1 for the usual one.

    The player comes from ``joins_at`` until ``leaves_at``, or until the rating is ``stops_at``, but not before
    ``free_at``, and accepts all match lengths in ``lengths``.
    """

    account: User
    skill: Decimal
    activity: float
    lengths: list[int]
    joins_at: datetime
    free_at: datetime
    leaves_at: datetime | None = None
    stops_at: Decimal | None = None

    def plays_at(self, moment: datetime) -> bool:
        return max(self.joins_at, self.free_at) <= moment and (self.leaves_at is None or moment < self.leaves_at)


def people(ladder: Ladder, stem: str, number: int, rng: Random, start: datetime, end: datetime) -> list[Person]:
    """New accounts, with the stem in their names. They join and leave between start and end."""
    names = list(islice(_free_names(stem), number))
    floor = decay.floor(ladder.rules.tiers)
    stoppers = 0 if floor is None else round(STOPPERS * number)
    return [_stopper(name, ladder, rng, start, floor or Decimal()) for name in names[:stoppers]] + [
        _usual(name, ladder, rng, start, end) for name in names[stoppers:]
    ]


def moderator(joined: datetime) -> User:
    """A new account that rules the disputes of the simulation. It cannot sign in."""
    account = User.objects.create_user(next(_free_names("moderator")), date_joined=joined)
    account.groups.add(ensure_moderators())
    return account


@transaction.atomic
def let_sign_in(account: User) -> str:
    """Allow the moderator to sign in to the admin. Returns the new password, which is not stored anywhere."""
    password = secrets.token_urlsafe(12)
    account.set_password(password)
    account.is_staff = True
    account.save(update_fields=["password", "is_staff"])
    audit.record(
        None,
        "account.change",
        account,
        data={"changed": ["is_staff", "password"], "values": {"is_staff": [False, True]}},
    )
    return password


def _free_names(stem: str) -> Iterator[str]:
    """stem01, stem02, ..., without names that are taken."""
    return (name for n in count(1) if not User.objects.is_taken(name := f"{stem}{n:02}"))


def _usual(name: str, ladder: Ladder, rng: Random, start: datetime, end: datetime) -> Person:
    period = end - start
    joins = start + period * rng.uniform(0.1, 0.6) if rng.random() < NEWCOMERS else start
    leaves = start + period * rng.uniform(0.2, 0.5) if joins == start and rng.random() < LEAVERS else None
    lengths = ladder.match_lengths
    first = rng.randrange(max(len(lengths) - 3, 1))
    return Person(
        account=User.objects.create_user(name, date_joined=joins),
        skill=ladder.rules.start + round(Decimal(rng.gauss(0, SKILL_SPREAD))),
        activity=min(rng.lognormvariate(0, 0.6), 4),
        lengths=lengths[first : first + rng.choice([3, 4, 5, 9])],
        joins_at=joins,
        free_at=joins,
        leaves_at=max(leaves, joins + timedelta(days=1)) if leaves else None,
    )


def _stopper(name: str, ladder: Ladder, rng: Random, start: datetime, floor: Decimal) -> Person:
    return Person(
        account=User.objects.create_user(name, date_joined=start),
        skill=ladder.rules.start + round(SKILL_SPREAD * Decimal(rng.uniform(2, 3))),
        activity=STOPPER_ACTIVITY,
        lengths=ladder.match_lengths[-5:],
        joins_at=start,
        free_at=start,
        stops_at=floor + round(Decimal(rng.uniform(STOPS_FROM, STOPS_TO))),
    )
