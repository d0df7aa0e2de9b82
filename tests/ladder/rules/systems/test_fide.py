"""FIDE by its formula: the K of each player, the cap, and golden numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.systems.fide import Fide
from ladder.rules.systems.system import Match, Player, Score

FIDE = Fide()
ONE_POINT = Match(1)


def with_k(k: int, rating: str | int) -> Player:
    """A player of that rating who has this K."""
    player = {
        40: Player(Decimal(rating), games=0),
        20: Player(Decimal(rating), games=100),
        10: Player(Decimal(rating), games=100, peak=max(Decimal(rating), Decimal(2400))),
    }[k]
    assert FIDE.k_of(player) == k
    return player


# Worked out with 60 decimal places: K, own, opponent; expected; change for a win, a draw and a loss.
GOLDEN = [
    (40, "1500.00", "1500.00", "0.500000", "20.00", "0.00", "-20.00"),
    (40, "1500.00", "1900.00", "0.090909", "36.36", "16.36", "-3.64"),
    # the difference counts as 400 at most
    (40, "1500.00", "2900.00", "0.090909", "36.36", "16.36", "-3.64"),
    (20, "2200.00", "2700.00", "0.090909", "18.18", "8.18", "-1.82"),
    (10, "2700.00", "2200.00", "0.909091", "0.91", "-4.09", "-9.09"),
    (20, "1850.00", "1700.00", "0.703385", "5.93", "-4.07", "-14.07"),
    (10, "2450.00", "2300.00", "0.703385", "2.97", "-2.03", "-7.03"),
    (40, "1612.34", "1598.77", "0.519519", "19.22", "-0.78", "-20.78"),
    (20, "1612.34", "1598.77", "0.519519", "9.61", "-0.39", "-10.39"),
    (10, "2350.00", "2351.50", "0.497841", "5.02", "0.02", "-4.98"),
]


@pytest.mark.parametrize("row", GOLDEN)
def test_golden_numbers(row) -> None:
    k, rating, opponent, expected, *deltas = row
    one, two = with_k(k, rating), Player(Decimal(opponent))
    changes = [FIDE.settle(one, two, Score(score), ONE_POINT)[0] for score in (1.0, 0.5, 0.0)]
    assert [f"{change.delta}" for change in changes] == deltas
    assert {f"{change.basis['win_probability']:.6f}" for change in changes} == {expected}
    assert {(change.basis["k"], change.basis["opponent_rating"]) for change in changes} == {(str(k), opponent)}


@pytest.mark.parametrize(
    ("rating", "games", "peak", "is_junior", "k"),
    [
        # new: fewer than 30 games, whatever else holds
        ("1500.00", 0, None, False, 40), ("1500.00", 29, "1600.00", False, 40), ("2500.00", 29, "2500.00", False, 40),
        ("1500.00", 30, "1600.00", False, 20),
        # a junior below 2300
        ("1500.00", 30, "1600.00", True, 40), ("2299.99", 300, "2350.00", True, 40),
        ("2300.00", 300, "2350.00", True, 20),
        # everybody else below 2400
        ("2399.99", 300, "2399.99", False, 20), ("2399.99", 300, None, False, 20),
        # 10 for ever once 2400 was reached, also for a junior
        ("2400.00", 300, None, False, 10), ("2400.00", 300, "2399.99", False, 10),
        ("1900.00", 300, "2400.00", False, 10),
        ("2250.00", 300, "2400.00", True, 10), ("2400.00", 30, "2400.00", True, 10),
    ],
)  # fmt: skip
def test_k(rating: str, games: int, peak: str | None, is_junior: bool, k: int) -> None:
    highest = None if peak is None else Decimal(peak)
    player = Player(Decimal(rating), games=games, peak=highest, is_junior=is_junior)
    assert FIDE.k_of(player) == k
    assert FIDE.multiplier(player) == {40: 2.0, 20: 1.0, 10: 1.0}[k]


ratings = st.decimals("0", "3500", places=2)


@given(ratings, st.decimals("400", "3000", places=2))
def test_the_difference_counts_as_400_at_most(rating: Decimal, lead: Decimal) -> None:
    assert FIDE.win_probability(rating, rating + lead, 1) == pytest.approx(1 / 11)
    assert FIDE.win_probability(rating + lead, rating, 1) == pytest.approx(10 / 11)


@given(ratings, ratings, st.sampled_from(Score), st.sampled_from([10, 20, 40]))
def test_with_the_same_k_one_wins_what_the_other_loses(rating, opponent, score, k) -> None:
    system = Fide(k_new=k, k_junior=k, k=k, k_master=k)
    one, two = system.settle(Player(rating), Player(opponent), score, ONE_POINT)
    assert one.delta == -two.delta


def test_each_player_has_their_own_k() -> None:
    one, two = FIDE.settle(with_k(40, 1500), with_k(20, 1500), Score.WIN, ONE_POINT)
    assert (one.delta, two.delta) == (Decimal(20), Decimal(-10))


def test_the_formula_without_numbers() -> None:
    assert FIDE.formula() == {
        "expected": "E = 1 / (1 + 10^(max(-400, min(400, opponent - rating)) / 400))",
        "k": "K = 40 if games < 30; else 10 if peak ≥ 2400; else 40 if junior and rating < 2300; else 20",
        "delta": "K × (S - E)",
    }


def test_the_worked_example() -> None:
    one, two = Player(Decimal("1500.00"), games=12), Player(Decimal("2900.00"))
    won, _ = FIDE.settle(one, two, Score.WIN, ONE_POINT)
    assert FIDE.explain(won, one, two, Score.WIN, ONE_POINT) == {
        "expected": "1 / (1 + 10^(max(-400, min(400, 2900.00 - 1500.00)) / 400)) = 0.090909",
        "k": "games 12 < 30: 40",
        "delta": "40 × (1 - 0.090909) = +36.36",
        "after": "1500.00 + 36.36 = 1536.36",
    }


@pytest.mark.parametrize(
    ("player", "k"),
    [
        (Player(Decimal("1500.00"), games=40, peak=Decimal("1550.00")), "games 40 ≥ 30, peak 1550.00 < 2400: 20"),
        (Player(Decimal("2200.00"), games=40, peak=Decimal("2401.00")), "peak 2401.00 ≥ 2400: 10"),
        (Player(Decimal("2200.00"), games=40, is_junior=True), "junior, 2200.00 < 2300: 40"),
    ],
)
def test_k_is_explained(player: Player, k: str) -> None:
    change, _ = FIDE.settle(player, player, Score.DRAW, ONE_POINT)
    assert FIDE.explain(change, player, player, Score.DRAW, ONE_POINT)["k"] == k
