"""A tier is a function of the rating alone."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rule_sets import rule_set
from ladder.rules.tiers import LADDER_TIERS, rating_band, tier_of


@pytest.mark.parametrize(
    ("rating", "name"),
    [
        ("-120.00", "bronze"), ("0.00", "bronze"), ("599.99", "bronze"), ("600.00", "bronze"), ("649.99", "bronze"),
        ("650.00", "silver"), ("699.99", "silver"),
        ("700.00", "gold"), ("799.99", "gold"),
        ("800.00", "platinum"), ("899.99", "platinum"),
        ("900.00", "diamond"), ("999.99", "diamond"),
        ("1000.00", "master"), ("2345.67", "master"),
    ],
)  # fmt: skip
def test_each_tier_begins_at_its_edge(rating: str, name: str) -> None:
    tier = tier_of(LADDER_TIERS, Decimal(rating))
    assert tier is not None
    assert tier.name == name


def test_only_platinum_and_above_decay() -> None:
    assert {tier.name: tier.nightly_decay for tier in LADDER_TIERS} == {
        "bronze": 0, "silver": 0, "gold": 0, "platinum": 1, "diamond": 2, "master": 3,
    }  # fmt: skip


def test_rule_sets_without_tiers_have_none() -> None:
    assert tier_of(rule_set("fibs-classic", 1).tiers, Decimal("1500.00")) is None


def test_bands_are_open_at_both_ends() -> None:
    assert rating_band(LADDER_TIERS, "bronze") == (None, 650)
    assert rating_band(LADDER_TIERS, "gold") == (700, 800)
    assert rating_band(LADDER_TIERS, "master") == (1000, None)
    with pytest.raises(KeyError):
        rating_band(LADDER_TIERS, "wood")


@given(st.decimals("-1000", "3000", places=2))
def test_a_rating_lies_in_the_band_of_its_tier_and_in_no_other(rating: Decimal) -> None:
    def holds(name: str) -> bool:
        lower, upper = rating_band(LADDER_TIERS, name)
        return (lower is None or rating >= lower) and (upper is None or rating < upper)

    tier = tier_of(LADDER_TIERS, rating)
    assert tier is not None
    assert [each.name for each in LADDER_TIERS if holds(each.name)] == [tier.name]
