"""The two roundings: a computed number of points to the hundredth, and a rating to what a person reads."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


def to_cents(points: float) -> Decimal:
    """Round a computed number of points to 0.01, half to even; the one rounding between a formula and the ledger."""
    return Decimal(points).quantize(CENT, ROUND_HALF_EVEN)


def whole_points(rating: Decimal) -> int:
    """The rating as a person reads it: whole points, half up (below zero as well: -0.5 is 0)."""
    return int((rating + Decimal("0.5")).to_integral_value(ROUND_FLOOR))
