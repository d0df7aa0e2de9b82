"""The values that the rating rules take and give."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the rules see one, at the moment of settlement: rating in points, experience in match points."""

    rating: Decimal
    experience: int


@dataclass(frozen=True, slots=True)
class Change:
    """What one match does to one player. ``after == before + delta`` holds exactly; ratings and delta in points."""

    before: Decimal
    delta: Decimal
    after: Decimal
    experience_before: int
    experience_after: int
    k: Decimal


@dataclass(frozen=True, slots=True)
class Settlement:
    """Both sides of a settled match, and the win probability (0 to 1) that the eventual winner had."""

    winner_probability: float
    winner: Change
    loser: Change


def to_cents(points: float) -> Decimal:
    """Round a computed number of points to 0.01, half to even; the one rounding between a formula and the ledger."""
    return Decimal(points).quantize(CENT, ROUND_HALF_EVEN)


def whole_points(rating: Decimal) -> int:
    """The rating as a person reads it: whole points, half up (below zero as well: -0.5 is 0)."""
    return int((rating + Decimal("0.5")).to_integral_value(ROUND_FLOOR))
