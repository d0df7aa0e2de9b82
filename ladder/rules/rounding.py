"""Rounding: points to hundredths for the ledger, ratings to whole points for display."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


def to_cents(points: float) -> Decimal:
    """Round points to 0.01, half to even. Between a formula and the ledger, points are rounded only here."""
    return Decimal(points).quantize(CENT, ROUND_HALF_EVEN)


def whole_points(rating: Decimal) -> int:
    """The rating for display: whole points, half up (-0.5 becomes 0)."""
    return int((rating + Decimal("0.5")).to_integral_value(ROUND_FLOOR))
