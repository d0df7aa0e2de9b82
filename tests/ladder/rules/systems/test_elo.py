"""Elo: published numbers in whole points, and any K and scale to the hundredth."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rule_sets import rule_set
from ladder.rules.systems.elo import Elo
from ladder.rules.systems.system import Match, Player, Score, System

ELO_32 = rule_set("elo-32", 1).system
ONE_POINT = Match(1)


def after(system: System, rating: object, opponent: object, score: float) -> Decimal:
    one, two = Player(Decimal(str(rating))), Player(Decimal(str(opponent)))
    return system.settle(one, two, Score(score), ONE_POINT)[0].after


# Opponent: new rating of somebody at 1200 after a win, a draw and a loss.
FROM_1200 = {1200: (1216, 1200, 1184), 1300: (1220, 1204, 1188), 1400: (1224, 1208, 1192), 1600: (1229, 1213, 1197)}


@pytest.mark.parametrize("opponent", FROM_1200)
def test_k_32_in_whole_points(opponent: int) -> None:
    assert tuple(int(after(ELO_32, 1200, opponent, score)) for score in (1.0, 0.5, 0.0)) == FROM_1200[opponent]


@pytest.mark.parametrize(
    ("scores", "ratings"),
    [
        ((1.0,) * 5 + (0.0,) * 5, (1216, 1231, 1246, 1260, 1273, 1254, 1236, 1218, 1201, 1185)),
        ((0.0,) * 5 + (1.0,) * 5, (1184, 1169, 1154, 1140, 1127, 1146, 1164, 1182, 1199, 1215)),
    ],
)
def test_ten_games_against_1200(scores: tuple[float, ...], ratings: tuple[int, ...]) -> None:
    rating = Decimal("1200.00")
    for score, expected in zip(scores, ratings, strict=True):
        rating = after(ELO_32, rating, "1200.00", score)
        assert rating == expected


@given(st.integers(-500, 3500), st.integers(-500, 3500), st.sampled_from(Score))
def test_whole_ratings_become_floor_of_x_and_a_half(rating: int, opponent: int, score: Score) -> None:
    with localcontext(prec=60):
        exact = rating + 32 * (Decimal(score.value) - 1 / (1 + Decimal(10) ** (Decimal(opponent - rating) / 400)))
        # A float may fall on the other side of a half only when the true value is next to it.
        rounded = {floor(exact + Decimal("0.5") + nudge) for nudge in (Decimal("-1e-9"), Decimal(0), Decimal("1e-9"))}
    assert after(ELO_32, rating, opponent, score.value) in rounded


# Worked out with 60 decimal places: K, scale, own, opponent; expected; change for a win, a draw and a loss.
GOLDEN = [
    (32, 400, "1200.00", "1300.00", "0.359935", "20.48", "4.48", "-11.52"),
    (20, 400, "1512.34", "1498.76", "0.519533", "9.61", "-0.39", "-10.39"),
    (24, 600, "1200.00", "1500.00", "0.240253", "18.23", "6.23", "-5.77"),
    (16, 400, "2000.50", "1200.25", "0.990113", "0.16", "-7.84", "-15.84"),
    (1, 50, "1200.00", "1190.00", "0.613137", "0.39", "-0.11", "-0.61"),
    (200, 4000, "1000.00", "1900.00", "0.373301", "125.34", "25.34", "-74.66"),
    (32, 600, "1250.00", "1250.00", "0.500000", "16.00", "0.00", "-16.00"),
]


@pytest.mark.parametrize("row", GOLDEN)
def test_golden_numbers(row) -> None:
    k, scale, rating, opponent, expected, *deltas = row
    one, two = Player(Decimal(rating)), Player(Decimal(opponent))
    changes = [Elo(k, scale).settle(one, two, Score(score), ONE_POINT)[0] for score in (1.0, 0.5, 0.0)]
    assert [f"{change.delta}" for change in changes] == deltas
    assert {f"{change.basis['win_probability']:.6f}" for change in changes} == {expected}
    assert {(change.basis["k"], change.basis["opponent_rating"]) for change in changes} == {(str(k), opponent)}


ratings = st.decimals("-500", "3500", places=2)


@given(st.integers(1, 200), st.integers(50, 4000), ratings, ratings, st.sampled_from(Score))
def test_agrees_with_the_formula_at_60_decimal_places(k, scale, rating, opponent, score) -> None:
    one, two = Elo(k, scale).settle(Player(rating), Player(opponent), score, ONE_POINT)
    with localcontext(prec=60):
        exact = k * (Decimal(score.value) - 1 / (1 + Decimal(10) ** ((opponent - rating) / scale)))
        # A float may fall on the other side of half a cent only when the true value is next to it.
        rounded = {
            (exact + nudge).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
            for nudge in (Decimal("-1e-9"), Decimal(0), Decimal("1e-9"))
        }
    assert one.delta in rounded
    assert -two.delta in rounded


@given(st.integers(1, 99), ratings, ratings)
def test_the_match_length_plays_no_part(length, rating, opponent) -> None:
    one, two = Player(rating), Player(opponent)
    assert ELO_32.settle(one, two, Score.WIN, Match(length))[0].delta == (
        ELO_32.settle(one, two, Score.WIN, ONE_POINT)[0].delta
    )


def test_the_constants_have_names() -> None:
    assert Elo(24, 600).parameters == {"k": 24, "scale": 600}


def test_the_formula_without_numbers() -> None:
    steps = {"expected": "E = 1 / (1 + 10^((opponent - rating) / 400))", "k": "K = 32"}
    assert Elo(32).formula() == steps | {"delta": "K × (S - E)"}
    assert ELO_32.formula() == steps | {"delta": "floor(K × (S - E) + 0.5)"}


def test_the_worked_example() -> None:
    one, two = Player(Decimal("1200.00")), Player(Decimal("1300.00"))
    steps = {"expected": "1 / (1 + 10^((1300.00 - 1200.00) / 400)) = 0.359935", "k": "32"}
    won, _ = Elo(32).settle(one, two, Score.WIN, ONE_POINT)
    assert Elo(32).explain(won, one, two, Score.WIN, ONE_POINT) == steps | {
        "delta": "32 × (1 - 0.359935) = +20.48",
        "after": "1200.00 + 20.48 = 1220.48",
    }
    lost, _ = ELO_32.settle(one, two, Score.LOSS, ONE_POINT)
    assert ELO_32.explain(lost, one, two, Score.LOSS, ONE_POINT) == steps | {
        "delta": "floor(32 × (0 - 0.359935) + 0.5) = -12.00",
        "after": "1200.00 - 12.00 = 1188.00",
    }
    drawn, _ = Elo(32).settle(one, two, Score.DRAW, ONE_POINT)
    assert Elo(32).explain(drawn, one, two, Score.DRAW, ONE_POINT)["delta"] == "32 × (0.5 - 0.359935) = +4.48"
