"""Tiers: a function of the rating, stored nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Tier:
    """A band of ratings: from ``edge`` (points) up to the next tier's edge.

    ``nightly_decay`` is what an unattended standing in it loses per night, in points; 0 leaves it alone.
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
    """The tier that ``rating`` stands in; ``None`` where the rule set has no tiers.

    The lowest tier's edge is nominal: whoever falls below it stays in that tier.
    """
    if not tiers:
        return None
    reached = [tier for tier in tiers if rating >= tier.edge]
    return reached[-1] if reached else tiers[0]


def rating_band(tiers: Sequence[Tier], name: str) -> tuple[int | None, int | None]:
    """The ratings of the named tier, as (at least, below); ``None`` is an open end.

    Raises ``KeyError`` when there is no such tier.
    """
    names = [tier.name for tier in tiers]
    if name not in names:
        raise KeyError(name)
    index = names.index(name)
    lower = tiers[index].edge if index > 0 else None
    upper = tiers[index + 1].edge if index + 1 < len(tiers) else None
    return lower, upper
