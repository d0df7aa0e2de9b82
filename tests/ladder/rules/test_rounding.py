"""Two roundings: a delta to the hundredth, half to even, once; and the whole points that a person reads, half up."""

from __future__ import annotations

from decimal import Decimal
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rounding import to_cents, whole_points


@pytest.mark.parametrize(
    ("points", "cents"),
    [
        # eighths are exact in binary, so these are true halves of a cent
        (0.125, "0.12"), (0.375, "0.38"), (0.625, "0.62"), (0.875, "0.88"), (-0.125, "-0.12"), (-0.375, "-0.38"),
        # these are not: the nearest float lies below or above the half
        (2.675, "2.67"), (1.005, "1.00"), (0.285, "0.28"), (44.2738636, "44.27"), (0.0049999, "0.00"), (0.0, "0.00"),
    ],
)  # fmt: skip
def test_deltas_round_half_to_even_from_the_exact_value(points: float, cents: str) -> None:
    assert to_cents(points) == Decimal(cents)


def test_a_delta_is_rounded_once() -> None:
    # By way of thousandths it would be 0.1249 -> 0.125 -> 0.12, and 0.12549 -> 0.125 -> 0.12 instead of 0.13.
    assert to_cents(0.12549) == Decimal("0.13")


@pytest.mark.parametrize(
    ("rating", "shown"),
    [
        ("644.27", 644), ("555.73", 556), ("600.50", 601), ("601.50", 602), ("600.49", 600), ("0.50", 1), ("0.49", 0),
        ("-0.49", 0), ("-0.50", 0), ("-0.51", -1), ("-1.50", -1), ("-1.51", -2), ("-12.00", -12),
    ],
)  # fmt: skip
def test_whole_points_round_half_up(rating: str, shown: int) -> None:
    assert whole_points(Decimal(rating)) == shown


@given(st.decimals("-9999999", "9999999", places=2))
def test_whole_points_are_floor_of_x_and_a_half(rating: Decimal) -> None:
    assert whole_points(rating) == floor(rating + Decimal("0.5"))
