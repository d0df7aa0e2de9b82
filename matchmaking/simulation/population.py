"""Who plays: a skill that the ladder does not know, and habits."""

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
# The share of those whom decay is for: strong and keen, in long matches, where skill tells most, and content once they
# stand so far above its floor.
CONTENT, CONTENT_KEENNESS = 0.1, 5
CONTENT_FROM, CONTENT_TO = 15, 75


@dataclass(eq=False, slots=True)
class Person:
    """``skill`` is on the scale of ratings; ``keenness`` is how often he comes, 1 for the usual player.

    He plays from ``joins_at`` until ``leaves_at``, if he leaves, or until he is rated ``content_at``; not before
    ``free_at``. He takes any of his ``lengths``.
    """

    account: User
    skill: Decimal
    keenness: float
    lengths: list[int]
    joins_at: datetime
    free_at: datetime
    leaves_at: datetime | None = None
    content_at: Decimal | None = None

    def plays_at(self, moment: datetime) -> bool:
        return max(self.joins_at, self.free_at) <= moment and (self.leaves_at is None or moment < self.leaves_at)


def people(ladder: Ladder, stem: str, number: int, rng: Random, start: datetime, end: datetime) -> list[Person]:
    """So many new accounts, named after the stem, that come and go between start and end."""
    names = list(islice(_free_names(stem), number))
    floor = decay.floor(ladder.rules.tiers)
    content = 0 if floor is None else round(CONTENT * number)
    return [_content(name, ladder, rng, start, floor or Decimal()) for name in names[:content]] + [
        _usual(name, ladder, rng, start, end) for name in names[content:]
    ]


def moderator(joined: datetime) -> User:
    """A new account that rules the disputes of the story. It cannot sign in."""
    account = User.objects.create_user(next(_free_names("moderator")), date_joined=joined)
    account.groups.add(ensure_moderators())
    return account


@transaction.atomic
def let_sign_in(account: User) -> str:
    """Let the moderator of a story into the admin; his password, which is known only here."""
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
    """stem01, stem02, ..., without the names that are taken."""
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
        keenness=min(rng.lognormvariate(0, 0.6), 4),
        lengths=lengths[first : first + rng.choice([3, 4, 5, 9])],
        joins_at=joins,
        free_at=joins,
        leaves_at=max(leaves, joins + timedelta(days=1)) if leaves else None,
    )


def _content(name: str, ladder: Ladder, rng: Random, start: datetime, floor: Decimal) -> Person:
    return Person(
        account=User.objects.create_user(name, date_joined=start),
        skill=ladder.rules.start + round(SKILL_SPREAD * Decimal(rng.uniform(2, 3))),
        keenness=CONTENT_KEENNESS,
        lengths=ladder.match_lengths[-5:],
        joins_at=start,
        free_at=start,
        content_at=floor + round(Decimal(rng.uniform(CONTENT_FROM, CONTENT_TO))),
    )
