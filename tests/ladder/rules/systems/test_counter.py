"""A fixed counter: 20 up, 20 down, 15 more for leaving, never below 0."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ladder.rules.match_life import Ending
from ladder.rules.rule_sets import rule_set
from ladder.rules.systems.system import Match, Player, Score

SYSTEM = rule_set("counter-20", 1).system


@pytest.mark.parametrize(
    ("loser", "ending", "after"),
    [
        ("800.00", Ending.PLAYED, "780.00"), ("800.00", Ending.RESIGNED, "780.00"),
        ("800.00", Ending.TIMED_OUT, "780.00"), ("800.00", Ending.ABANDONED, "765.00"),
        # never below 0
        ("20.00", Ending.PLAYED, "0.00"), ("19.50", Ending.PLAYED, "0.00"), ("0.00", Ending.PLAYED, "0.00"),
        ("35.00", Ending.ABANDONED, "0.00"), ("34.00", Ending.ABANDONED, "0.00"),
        # who stands below already is left there
        ("-5.00", Ending.PLAYED, "-5.00"),
    ],
)  # fmt: skip
def test_a_decided_match(loser: str, ending: Ending, after: str) -> None:
    won, lost = SYSTEM.settle(Player(Decimal("800.00")), Player(Decimal(loser)), Score.WIN, Match(5, ending))
    assert (won.after, lost.after) == (Decimal("820.00"), Decimal(after))
    assert won.basis == {"opponent_rating": loser, "ending": ending}


def test_a_draw_moves_nobody() -> None:
    changes = SYSTEM.settle(Player(Decimal("800.00")), Player(Decimal("900.00")), Score.DRAW, Match(5))
    assert [change.delta for change in changes] == [0, 0]


def test_it_says_nothing_about_the_chance_to_win() -> None:
    assert SYSTEM.win_probability(Decimal(800), Decimal(700), 5) is None
    assert SYSTEM.multiplier(Player(Decimal(800))) == 1


def test_the_constants_have_names() -> None:
    assert SYSTEM.parameters == {"win": 20, "loss": 20, "leaving": 15, "floor": 0}


def test_the_formula_without_numbers() -> None:
    assert SYSTEM.formula() == {
        "delta": "win: +20; draw: 0; loss: -min(20, max(rating - 0, 0)); leaving: -min(20 + 15, max(rating - 0, 0))"
    }


@pytest.mark.parametrize(
    ("score", "ending", "delta", "after"),
    [
        (Score.WIN, Ending.ABANDONED, "+20 = +20.00", "812.00 + 20.00 = 832.00"),
        (Score.DRAW, Ending.PLAYED, "0 = +0.00", "812.00 + 0.00 = 812.00"),
        (Score.LOSS, Ending.PLAYED, "-min(20, max(812.00 - 0, 0)) = -20.00", "812.00 - 20.00 = 792.00"),
        (Score.LOSS, Ending.ABANDONED, "-min(20 + 15, max(812.00 - 0, 0)) = -35.00", "812.00 - 35.00 = 777.00"),
    ],
)
def test_the_worked_example(score: Score, ending: Ending, delta: str, after: str) -> None:
    one, two, match = Player(Decimal("812.00")), Player(Decimal("800.00")), Match(1, ending)
    change, _ = SYSTEM.settle(one, two, score, match)
    assert SYSTEM.explain(change, one, two, score, match) == {"delta": delta, "after": after}
