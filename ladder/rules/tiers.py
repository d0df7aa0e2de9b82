"""Tiers. The tier follows from the rating and is not stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Tier:
    """The ratings from ``edge`` (in points) up to the edge of the next tier.

    ``nightly_decay`` is what a standing in this tier loses on a day of decay, in points; 0: no decay.
    """

    name: str
    edge: int
    nightly_decay: int = 0


LADDER_TIERS = (
    Tier("bronze", 600),
    Tier("silver", 650),
    Tier("gold", 700),
    Tier("platinum", 800, nightly_decay=1),
    Tier("diamond", 900, nightly_decay=2),
    Tier("master", 1000, nightly_decay=3),
)


def tier_of(tiers: Sequence[Tier], rating: Decimal) -> Tier | None:
    """The tier of ``rating``; ``None`` if the rule set has no tiers.

    Ratings below the edge of the lowest tier are in the lowest tier too.
    """
    if not tiers:
        return None
    reached = [tier for tier in tiers if rating >= tier.edge]
    return reached[-1] if reached else tiers[0]


def rating_band(tiers: Sequence[Tier], name: str) -> tuple[int | None, int | None]:
    """The ratings of the named tier, as (minimum, upper limit); ``None``: no limit.

    The upper limit is not part of the tier. Raises ``KeyError`` if there is no such tier.
    """
    names = [tier.name for tier in tiers]
    if name not in names:
        raise KeyError(name)
    index = names.index(name)
    lower = tiers[index].edge if index > 0 else None
    upper = tiers[index + 1].edge if index + 1 < len(tiers) else None
    return lower, upper
