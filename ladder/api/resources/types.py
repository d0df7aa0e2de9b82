"""Ratings and their changes in responses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypedDict

from common.types import Display, Points
from ladder.rules.rounding import whole_points


class RatingShown(TypedDict):
    """A rating: exact, and rounded for display."""

    rating: Points
    rating_display: Display


class Movement(TypedDict):
    """How one match, night or correction changes one standing."""

    before: Points
    before_display: Display
    delta: Points
    after: Points
    after_display: Display
    experience_before: int
    experience_after: int


def points(value: Decimal) -> str:
    return f"{value:.2f}"


def movement(change: Any) -> Movement:
    """From a ``Change`` that the rules computed, or a ``RatingEntry`` of the ledger. Both have these numbers."""
    return {
        "before": points(change.before),
        "before_display": whole_points(change.before),
        "delta": points(change.delta),
        "after": points(change.after),
        "after_display": whole_points(change.after),
        "experience_before": change.experience_before,
        "experience_after": change.experience_after,
    }
