"""What the nights that are due would cost whom: the pure rule, player by player, as a check on the SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from ladder.models import Ladder, Standing
from ladder.queries.decay_progress import decays, is_paused, next_day
from ladder.rules import calendar, decay
from ladder.services.decay.nights import check_day


@dataclass(frozen=True, slots=True)
class Loss:
    """What a night would cost one player, in points."""

    username: str
    rating: Decimal
    step: Decimal
    idle_since: date


@dataclass(frozen=True, slots=True)
class Night:
    """A day and what it would cost whom."""

    day: date
    paused: bool
    losses: list[Loss] = field(default_factory=list)


@dataclass(slots=True)
class _Standing:
    username: str
    rating: Decimal
    idle_since: date
    decayed_through: date


def preview(ladder: Ladder, *, through: date | None = None) -> Iterator[Night]:
    """The nights up to today (or ``through``) that are not worked off, if nobody played meanwhile; changes nothing.

    Raises ``Invalid`` for a day in the future or before the ladder existed.
    """
    last = check_day(ladder, through)
    due = list(calendar.days(next_day(ladder), last, ladder.zone)) if decays(ladder) else []
    standings = _standings(ladder) if due else []
    for day in due:
        night = Night(day, is_paused(ladder, day))
        for standing in () if night.paused else standings:
            step = decay.decay(ladder.rules.tiers, standing.rating, standing.idle_since, day)
            if step and standing.decayed_through < day:
                night.losses.append(Loss(standing.username, standing.rating, step, standing.idle_since))
                standing.rating -= step
        yield night


def _standings(ladder: Ladder) -> list[_Standing]:
    """Those that decay could touch, the best first."""
    rows = (
        Standing.objects.filter(ladder=ladder, rating__gt=decay.floor(ladder.rules.tiers), last_ranked_at__isnull=False)
        .order_by("-rating", "pk")
        .values_list("player__username", "rating", "last_ranked_at", "decayed_through")
    )
    return [
        _Standing(username, rating, calendar.day_of(played, ladder.zone), decayed_through or date.min)
        for username, rating, played, decayed_through in rows.iterator()
        if played is not None
    ]
