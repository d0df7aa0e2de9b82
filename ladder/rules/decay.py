"""Decay: a high rating goes down when its player does not play.

A standing in a tier with decay loses the tier's nightly decay each day, if its last settled ranked match was
:data:`GRACE_DAYS` or more days ago, until the player plays again. The rating does not go below the edge of the lowest
tier with decay. Only the rating changes: experience, K, peak rating, wins, losses and streak stay the same.
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
    """The lowest rating that decay can lead to; ``None`` if no tier has decay."""
    return next((Decimal(tier.edge) for tier in tiers if tier.nightly_decay), None)


def first_decay_day(last_ranked_day: date) -> date:
    """The first day of decay, if no ranked match is settled before."""
    return last_ranked_day + timedelta(days=GRACE_DAYS)


def decay(tiers: Sequence[Tier], rating: Decimal, last_ranked_day: date | None, day: date) -> Decimal:
    """The points that a standing loses on ``day``: 0 or more.

    ``last_ranked_day`` is the day of its last settled ranked match; ``None`` if there is none.
    """
    if last_ranked_day is None or day < first_decay_day(last_ranked_day):
        return Decimal(0)
    return nightly_step(tiers, rating)


def nightly_step(tiers: Sequence[Tier], rating: Decimal) -> Decimal:
    """The points of one day of decay at this rating: the tier's step, or the rest above the floor if that is less."""
    tier, lowest = tier_of(tiers, rating), floor(tiers)
    if tier is None or lowest is None:
        return Decimal(0)
    return min(Decimal(tier.nightly_decay), max(rating - lowest, Decimal(0)))


def explain_day(tiers: Sequence[Tier], rating: Decimal, *, idle_since: date, day: date) -> dict[str, str]:
    """The calculation of one ``day`` of decay, step by step. ``idle_since`` is the day of the last ranked match.

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
    """The decay of a standing if its player does not play.

    ``starts_on`` is its next day of decay, and ``running`` says whether there was one before. ``nightly_step`` is what
    the next day takes. ``floor_on`` is the day when the rating reaches the ``floor``.
    """

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
    """The decay to expect; ``None`` if this standing will have no decay.

    ``next_day`` is the first day whose decay has not been run. ``is_charged`` is false for days in a pause.
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
