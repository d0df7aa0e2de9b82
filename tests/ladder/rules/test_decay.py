"""The decay rule by its examples."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules import decay
from ladder.rules.rule_sets import latest
from ladder.rules.tiers import LADDER_TIERS as TIERS
from tests.ladder.rules.calculator import evaluate

PLAYED = date(2026, 3, 1)
FIRST = PLAYED + timedelta(days=28)
ratings = st.decimals(min_value=500, max_value=3000, places=2)


def night(rating: str, idle: int = 28) -> Decimal:
    return decay.decay(TIERS, Decimal(rating), PLAYED, PLAYED + timedelta(days=idle))


def test_28_days_after_the_last_match_is_the_first_day_that_costs():
    assert night("850.00", idle=27) == 0
    assert night("850.00", idle=28) == 1
    assert night("850.00", idle=400) == 1


@pytest.mark.parametrize(
    ("rating", "step"),
    [
        ("799.99", "0"),
        ("800.00", "0"),
        ("800.01", "0.01"),
        ("800.40", "0.40"),
        ("801.00", "1"),
        ("899.99", "1"),
        ("900.00", "2"),
        ("900.50", "2"),
        ("999.99", "2"),
        ("1000.00", "3"),
        ("1000.50", "3"),
        ("2500.00", "3"),
        ("600.00", "0"),
        ("-20.00", "0"),
    ],
)
def test_the_step_of_each_tier(rating, step):
    assert night(rating) == Decimal(step)


def test_a_master_below_the_edge_is_diamond_on_the_next_day():
    after = Decimal("1000.50") - night("1000.50")
    assert after == Decimal("997.50")
    assert night(str(after)) == 2


def test_a_player_without_a_ranked_match_has_no_decay():
    assert decay.decay(TIERS, Decimal(1200), None, date(2030, 1, 1)) == 0


def test_a_player_who_played_again_has_no_decay_for_an_earlier_day():
    assert decay.decay(TIERS, Decimal(1200), PLAYED, PLAYED - timedelta(days=1)) == 0


def test_rule_sets_without_tiers_do_not_decay():
    tiers = latest("fibs-classic").tiers
    assert decay.floor(tiers) is None
    assert decay.decay(tiers, Decimal(2500), PLAYED, FIRST) == 0
    assert decay.forecast(tiers, Decimal(2500), PLAYED, FIRST) is None


@given(ratings, st.integers(28, 2000))
def test_decay_never_crosses_the_floor_and_never_gives(rating, idle):
    step = night(str(rating), idle)
    assert 0 <= step <= 3
    if rating >= 800:
        assert rating - step >= 800
    else:
        assert step == 0


@given(ratings, st.integers(0, 60), st.integers(0, 60))
def test_the_forecast_is_right(rating, idle, done):
    next_day = PLAYED + timedelta(days=done + 1)
    ahead = decay.forecast(TIERS, rating, PLAYED, next_day)
    left, day, first, floor_on = rating, next_day, None, None
    while decay.nightly_step(TIERS, left) and (day - next_day).days < 3000:
        step = decay.decay(TIERS, left, PLAYED, day)
        if step and first is None:
            first = day
        left -= step
        if step and left <= 800:
            floor_on = day
        day += timedelta(days=1)
    if ahead is None:
        assert first is None
    else:
        assert (ahead.starts_on, ahead.floor_on) == (first, floor_on)
        assert ahead.running == (next_day > FIRST)


def test_the_forecast_leaves_out_paused_days():
    plain = decay.forecast(TIERS, Decimal("803.00"), PLAYED, FIRST)
    spared = {FIRST, FIRST + timedelta(days=1)}
    paused = decay.forecast(TIERS, Decimal("803.00"), PLAYED, FIRST, lambda day: day not in spared)
    assert plain is not None
    assert paused is not None
    assert plain.floor_on == FIRST + timedelta(days=2)
    assert paused.floor_on == FIRST + timedelta(days=4)
    assert paused.starts_on == FIRST + timedelta(days=2)


def test_a_day_of_decay() -> None:
    assert decay.explain_day(TIERS, Decimal("800.40"), idle_since=date(2026, 1, 1), day=date(2026, 1, 29)) == {
        "idle": "2026-01-29 - 2026-01-01 = 28 ≥ 28",
        "delta": "-min(1, 800.40 - 800.00) = -0.40",
        "after": "800.40 - 0.40 = 800.00",
    }


@given(st.decimals("800.01", "3500", places=2), st.integers(28, 4000))
def test_the_steps_of_each_day_give_its_points(rating: Decimal, idle: int) -> None:
    day = PLAYED + timedelta(days=idle)
    cost = decay.decay(TIERS, rating, PLAYED, day)
    steps = decay.explain_day(TIERS, rating, idle_since=PLAYED, day=day)
    for step, value in (("delta", -cost), ("after", rating - cost)):
        worked_out, stated = evaluate(steps[step])
        assert stated == value
        assert worked_out == pytest.approx(float(value))
