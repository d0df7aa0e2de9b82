"""What an explanation says is what was stored: each formula is evaluated as a person with a calculator would."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules import decay, explain
from ladder.rules.rule_sets import rule_set
from ladder.rules.tiers import LADDER_TIERS
from ladder.rules.types import Player

SYSTEMS = [rule_set(name, 1).system for name in ("fibs-600", "fibs-classic", "fibs-flat-1800")]


def evaluate(text: str) -> tuple[float, Decimal]:
    """The value of the formula, and the value the text states behind its last equals sign."""
    formula, _, stated = text.rpartition(" = ")
    python = re.sub(r"√(\d+)", r"sqrt(\1)", formula or stated).replace("×", "*").replace("^", "**")
    assert set(re.findall(r"[a-z]+", python)) <= {"sqrt", "min", "max"}
    return float(eval(python, {"__builtins__": {}}, {"sqrt": sqrt, "min": min, "max": max})), Decimal(stated)


def test_the_worked_example() -> None:
    ours = SYSTEMS[0]
    even = Decimal("600.00")
    assert explain.win_probability(ours, even, even, 5) == "1 / (1 + 10^((600.00 - 600.00) × √5 / 2000)) = 0.500000"
    assert explain.multiplier(ours, 0, 5) == "max(1, 5 - (0 + 5) / 100) = 4.95"
    won = explain.delta(ours, k=Decimal("4.95"), winner_probability=0.5, match_length=5, won=True)
    assert won == "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27"
    lost = explain.delta(ours, k=Decimal("4.95"), winner_probability=0.5, match_length=5, won=False)
    assert lost == "-min(200, 8 × √5 × (1 - 0.500000) × 4.95) = -44.27"


ratings = st.decimals("-500", "3500", places=2)


@given(st.sampled_from(SYSTEMS), ratings, ratings, st.integers(0, 900), st.integers(0, 900), st.integers(1, 99))
def test_every_explanation_evaluates_to_what_was_settled(system, winner, loser, winner_e, loser_e, length) -> None:
    settled = system.settle(Player(winner, winner_e), Player(loser, loser_e), length)
    value, stated = evaluate(explain.win_probability(system, winner, loser, length))
    assert value == pytest.approx(settled.winner_probability, abs=1e-9)
    assert float(stated) == pytest.approx(settled.winner_probability, abs=5.1e-7)

    for change, won in ((settled.winner, True), (settled.loser, False)):
        value, stated = evaluate(explain.multiplier(system, change.experience_before, length))
        assert value == pytest.approx(float(change.k))
        assert stated == change.k
        text = explain.delta(
            system, k=change.k, winner_probability=settled.winner_probability, match_length=length, won=won
        )
        value, stated = evaluate(text)
        assert stated == change.delta
        # half a cent of rounding, and the probability is printed with six places
        assert value == pytest.approx(float(change.delta), abs=0.0053)


PLAYED = date(2026, 1, 1)


def test_a_night_of_decay() -> None:
    assert explain.night(LADDER_TIERS, Decimal("800.40"), idle_since=PLAYED, day=date(2026, 1, 29)) == {
        "idle": "2026-01-29 - 2026-01-01 = 28 ≥ 28",
        "delta": "-min(1, 800.40 - 800.00) = -0.40",
        "after": "800.40 - 0.40 = 800.00",
    }


@given(st.decimals("800.01", "3500", places=2), st.integers(28, 4000))
def test_every_night_evaluates_to_what_it_costs(rating: Decimal, idle: int) -> None:
    day = PLAYED + timedelta(days=idle)
    cost = decay.decay(LADDER_TIERS, rating, PLAYED, day)
    steps = explain.night(LADDER_TIERS, rating, idle_since=PLAYED, day=day)
    for step, value in (("delta", -cost), ("after", rating - cost)):
        worked_out, stated = evaluate(steps[step])
        assert stated == value
        assert worked_out == pytest.approx(float(value))
