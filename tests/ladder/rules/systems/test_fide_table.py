"""FIDE by its table: the published bands and the published games."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ladder.rules.rounding import whole_points
from ladder.rules.systems.fide_table import FideTable, table
from ladder.rules.systems.system import Match, Player, Score
from tests.ladder.rules.systems.test_fide import with_k

SYSTEM = FideTable()
ONE_POINT = Match(1)

# As the federation prints it: from, to, and the hundredths that the higher rated is expected to score.
BANDS = [
    (0, 3, 50), (4, 10, 51), (11, 17, 52), (18, 25, 53), (26, 32, 54), (33, 39, 55), (40, 46, 56), (47, 53, 57),
    (54, 61, 58), (62, 68, 59), (69, 76, 60), (77, 83, 61), (84, 91, 62), (92, 98, 63), (99, 106, 64), (107, 113, 65),
    (114, 121, 66), (122, 129, 67), (130, 137, 68), (138, 145, 69), (146, 153, 70), (154, 162, 71), (163, 170, 72),
    (171, 179, 73), (180, 188, 74), (189, 197, 75), (198, 206, 76), (207, 215, 77), (216, 225, 78), (226, 235, 79),
    (236, 245, 80), (246, 256, 81), (257, 267, 82), (268, 278, 83), (279, 290, 84), (291, 302, 85), (303, 315, 86),
    (316, 328, 87), (329, 344, 88), (345, 357, 89), (358, 374, 90), (375, 391, 91), (392, 411, 92), (412, 432, 93),
    (433, 456, 94), (457, 484, 95), (485, 517, 96), (518, 559, 97), (560, 619, 98), (620, 735, 99), (736, 4000, 100),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last", "hundredths"), BANDS)
def test_every_band(first: int, last: int, hundredths: int) -> None:
    for difference in range(first, last + 1):
        assert table(Decimal(difference)) == hundredths / 100
        if difference:
            assert table(Decimal(-difference)) == (100 - hundredths) / 100


@pytest.mark.parametrize(
    ("difference", "expected"),
    [("3.49", 0.50), ("3.50", 0.51), ("-3.49", 0.50), ("-3.50", 0.49), ("735.49", 0.99), ("735.50", 1.0)],
)
def test_between_whole_points_the_size_of_the_difference_is_rounded(difference: str, expected: float) -> None:
    assert table(Decimal(difference)) == expected


# Games as the federation publishes them: own rating, K, opponent, score; expected, change, whole points.
GAMES = [
    (1500, 40, 1500, 1.0, 0.5, "20.0", 20),
    (1500, 40, 1500, 0.0, 0.5, "-20.0", -20),
    (1500, 40, 1500, 0.5, 0.5, "0.0", 0),
    (1500, 40, 1900, 1.0, 0.08, "36.8", 37),
    (1500, 40, 1900, 0.0, 0.08, "-3.2", -3),
    (1500, 40, 1900, 0.5, 0.08, "16.8", 17),
    (1500, 40, 2900, 1.0, 0.08, "36.8", 37),
    (1500, 40, 2900, 0.0, 0.08, "-3.2", -3),
    (1500, 40, 1600, 1.0, 0.36, "25.6", 26),
    (1500, 40, 1600, 0.0, 0.36, "-14.4", -14),
    (2000, 40, 1600, 1.0, 0.92, "3.2", 3),
    (2000, 40, 1600, 0.0, 0.92, "-36.8", -37),
    (2000, 40, 1000, 1.0, 0.92, "3.2", 3),
    (2000, 40, 1000, 0.0, 0.92, "-36.8", -37),
    (2000, 40, 1900, 1.0, 0.64, "14.4", 14),
    (2000, 40, 1900, 0.0, 0.64, "-25.6", -26),
    (2800, 10, 1800, 1.0, 1.0, "0.0", 0),
    (2700, 10, 2200, 1.0, 0.96, "0.4", 0),
    (2200, 20, 2700, 0.0, 0.08, "-1.6", -2),
    (2200, 20, 2700, 1.0, 0.08, "18.4", 18),
    (2700, 10, 2200, 0.0, 0.96, "-9.6", -10),
]


@pytest.mark.parametrize(("rating", "k", "opponent", "score", "expected", "delta", "whole"), GAMES)
def test_published_games(rating, k, opponent, score, expected, delta, whole) -> None:
    one, _ = SYSTEM.settle(with_k(k, rating), Player(Decimal(opponent)), Score(score), ONE_POINT)
    assert one.basis["win_probability"] == expected
    assert one.delta == Decimal(delta)
    assert whole_points(one.delta) == whole


@pytest.mark.parametrize(
    ("rating", "opponent", "expected"),
    [
        # below 2650 the difference counts as 400 at most, whatever the opponent's rating
        ("2649.99", "2249.99", 0.92), ("2649.99", "1500.00", 0.92),
        ("2249.99", "2650.00", 0.08), ("1500.00", "2800.00", 0.08),
        # from 2650 on as it is
        ("2650.00", "2239.00", 0.92), ("2650.00", "2238.00", 0.93),
        ("2650.00", "1915.00", 0.99), ("2650.00", "1914.00", 1.00),
        ("2650.00", "3385.00", 0.01), ("2650.00", "3386.00", 0.00),
    ],
)  # fmt: skip
def test_the_cut_depends_on_the_own_rating(rating: str, opponent: str, expected: float) -> None:
    assert SYSTEM.expected(Decimal(rating), Decimal(opponent)) == expected


def test_for_pairing_the_difference_alone_counts() -> None:
    assert SYSTEM.win_probability(Decimal(2800), Decimal(1800), 1) == 0.92
    assert SYSTEM.win_probability(Decimal(1800), Decimal(2800), 1) == 0.08
    assert SYSTEM.win_probability(Decimal(2000), Decimal(1000), 1) == 0.92


def test_it_differs_from_the_formula() -> None:
    """An outsider of 400 points who wins with K 40: 37 points by the table, 36 by the formula."""
    one, _ = SYSTEM.settle(with_k(40, 1500), with_k(40, 1900), Score.WIN, ONE_POINT)
    assert one.delta == Decimal("36.80")


def test_the_formula_without_numbers() -> None:
    expected = "E = table(rating - opponent) if rating ≥ 2650; else table(max(-400, min(400, rating - opponent)))"
    assert SYSTEM.formula()["expected"] == expected


@pytest.mark.parametrize(
    ("rating", "opponent", "expected"),
    [
        ("2000.00", "1000.00", "table(max(-400, min(400, 2000.00 - 1000.00))) = 0.92"),
        ("2700.00", "2200.00", "table(2700.00 - 2200.00) = 0.96"),
    ],
)
def test_the_worked_example(rating: str, opponent: str, expected: str) -> None:
    one, two = with_k(10, rating), Player(Decimal(opponent))
    change, _ = SYSTEM.settle(one, two, Score.WIN, ONE_POINT)
    assert SYSTEM.explain(change, one, two, Score.WIN, ONE_POINT)["expected"] == expected


def test_the_constants_have_names() -> None:
    assert SYSTEM.parameters == {
        "k_new": 40, "new_games": 30, "k_master": 10, "master_rating": 2400, "k_junior": 40, "junior_rating": 2300,
        "k": 20, "scale": 400, "cap": 400, "uncapped_rating": 2650,
    }  # fmt: skip
