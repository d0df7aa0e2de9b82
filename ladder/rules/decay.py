"""Decay: a high rating is a claim to current form, and slides when nobody attends to it.

A standing in a tier that decays, whose last settled ranked match is :data:`GRACE_DAYS` or more days ago, loses its
tier's nightly step once per day until the player plays again. It never falls below the lowest decaying tier's edge.
Only the rating moves: experience, K, peak, wins, losses and streak stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ladder.rules.calendar import ONE_DAY
from ladder.rules.tiers import Tier, tier_of

GRACE_DAYS = 28
NOTICE_DAYS = 3


def floor(tiers: Sequence[Tier]) -> Decimal | None:
    """The rating below which decay never takes anyone; ``None`` where no tier decays."""
    return next((Decimal(tier.edge) for tier in tiers if tier.nightly_decay), None)


def first_decay_day(last_ranked_day: date) -> date:
    """The first day that can cost points, if no ranked match is settled until then."""
    return last_ranked_day + timedelta(days=GRACE_DAYS)


def decay(tiers: Sequence[Tier], rating: Decimal, last_ranked_day: date | None, day: date) -> Decimal:
    """The points that ``day`` costs a standing: 0 or more.

    ``last_ranked_day`` is the day of its last settled ranked match, ``None`` if it never had one.
    """
    if last_ranked_day is None or day < first_decay_day(last_ranked_day):
        return Decimal(0)
    return nightly_step(tiers, rating)


def nightly_step(tiers: Sequence[Tier], rating: Decimal) -> Decimal:
    """What one night costs at this rating, once decay runs: the tier's step, or what is left above the floor."""
    tier, lowest = tier_of(tiers, rating), floor(tiers)
    if tier is None or lowest is None:
        return Decimal(0)
    return min(Decimal(tier.nightly_decay), max(rating - lowest, Decimal(0)))


def explain_night(tiers: Sequence[Tier], rating: Decimal, *, idle_since: date, day: date) -> dict[str, str]:
    """Each step of what one ``day`` of decay costs at ``rating``. ``idle_since`` is the day of the last ranked match.

    E.g. ``2026-01-29 - 2026-01-01 = 28 ≥ 28``, ``-min(1, 800.40 - 800.00) = -0.40``, ``800.40 - 0.40 = 800.00``.
    """
    tier, lowest = tier_of(tiers, rating), floor(tiers)
    assert tier is not None
    assert lowest is not None
    cost = nightly_step(tiers, rating)
    return {
        "idle": f"{day} - {idle_since} = {(day - idle_since).days} ≥ {GRACE_DAYS}",
        "delta": f"-min({tier.nightly_decay}, {rating} - {lowest:.2f}) = {-cost:.2f}",
        "after": f"{rating} - {cost:.2f} = {rating - cost:.2f}",
    }


@dataclass(frozen=True, slots=True)
class Forecast:
    """What lies ahead of a standing that is left alone: when decay starts, what a night costs now, and how it ends."""

    starts_on: date
    running: bool
    nightly_step: Decimal
    floor: Decimal
    floor_on: date


def forecast(
    tiers: Sequence[Tier],
    rating: Decimal,
    last_ranked_day: date | None,
    next_day: date,
    is_charged: Callable[[date], bool] = lambda _: True,
) -> Forecast | None:
    """The nights ahead, or ``None`` when decay will never touch this standing as it is.

    ``next_day`` is the first day not worked off yet; ``is_charged`` says no for days that a declared pause spares.
    """
    lowest = floor(tiers)
    if last_ranked_day is None or lowest is None or nightly_step(tiers, rating) == 0:
        return None
    starts_on = max(first_decay_day(last_ranked_day), next_day)
    while not is_charged(starts_on):
        starts_on += ONE_DAY
    day, left = starts_on, rating - nightly_step(tiers, rating)
    while left > lowest:
        day += ONE_DAY
        if is_charged(day):
            left -= nightly_step(tiers, left)
    return Forecast(
        starts_on=starts_on,
        running=first_decay_day(last_ranked_day) < next_day,
        nightly_step=nightly_step(tiers, rating),
        floor=lowest,
        floor_on=day,
    )
