"""A whole event: one sum with K applied once, and the performance."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ladder.rules.systems.fide import Fide
from ladder.rules.systems.fide_event import event_points, performance
from ladder.rules.systems.fide_table import FideTable
from ladder.rules.systems.system import Score
from tests.ladder.rules.systems.test_fide import with_k

FIDE = Fide()
RESULTS = [
    (Decimal(1600), Score.WIN),
    (Decimal(1700), Score.DRAW),
    (Decimal(1850), Score.LOSS),
    (Decimal(1500), Score.WIN),
    (Decimal(2100), Score.LOSS),
]


@pytest.mark.parametrize(("k", "rating", "points"), [(40, 1500, "47.65"), (20, 1700, "4.25")])
def test_an_event_sums_what_was_scored_beyond_expectation(k: int, rating: int, points: str) -> None:
    """Worked out with 60 decimal places. The five games alone would make 47.64 and 4.26."""
    assert event_points(FIDE, with_k(k, rating), RESULTS) == Decimal(points)


def test_an_event_by_the_table() -> None:
    # 2.5 points scored; expected are 0.36 + 0.24 + 0.11 + 0.50 + 0.08
    assert event_points(FideTable(), with_k(40, 1500), RESULTS) == Decimal("48.40")


def test_an_event_of_one_game_is_that_game() -> None:
    assert event_points(FIDE, with_k(40, 1500), [(Decimal(1900), Score.WIN)]) == Decimal("36.36")


def test_an_event_without_games_moves_nothing() -> None:
    assert event_points(FIDE, with_k(40, 1500), []) == 0


def test_performance() -> None:
    assert performance(RESULTS) == Decimal("1750.00")  # as many wins as losses: the mean
    assert performance(RESULTS[:3]) == Decimal("1716.67")
    assert performance(RESULTS[:2]) == Decimal("1850.00")  # 1650 + 400 × 1 / 2
    assert performance(RESULTS[2:3]) == Decimal("1450.00")
    with pytest.raises(ValueError, match="at least one"):
        performance([])
