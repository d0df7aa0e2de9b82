"""What the days of decay that are due would take from each player.

Computed with the rule in Python, not with the SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from ladder.models import Ladder, Standing
from ladder.queries.decay import has_decay, is_paused, next_day
from ladder.rules import calendar, decay
from ladder.services.decay.runs import check_day


@dataclass(frozen=True, slots=True)
class Loss:
    """The points that a day of decay would take from one player."""

    username: str
    rating: Decimal
    step: Decimal
    idle_since: date


@dataclass(frozen=True, slots=True)
class PreviewDay:
    """A day of decay that is due, and what it would take."""

    day: date
    paused: bool
    losses: list[Loss] = field(default_factory=list)


@dataclass(slots=True)
class _Standing:
    username: str
    rating: Decimal
    idle_since: date
    decayed_through: date


def preview(ladder: Ladder, *, through: date | None = None) -> Iterator[PreviewDay]:
    """The days that are due, up to today (or ``through``), if nobody plays. Changes nothing.

    Raises ``Invalid`` for a day in the future or before the ladder.
    """
    last = check_day(ladder, through)
    due = list(calendar.days(next_day(ladder), last, ladder.zone)) if has_decay(ladder) else []
    standings = _standings(ladder) if due else []
    for day in due:
        result = PreviewDay(day, is_paused(ladder, day))
        for standing in () if result.paused else standings:
            step = decay.decay(ladder.rules.tiers, standing.rating, standing.idle_since, day)
            if step and standing.decayed_through < day:
                result.losses.append(Loss(standing.username, standing.rating, step, standing.idle_since))
                standing.rating -= step
        yield result


def _standings(ladder: Ladder) -> list[_Standing]:
    """The standings above the floor of decay, the best first."""
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
