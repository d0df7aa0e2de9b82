"""The numbers a ladder plays by, under a name and a version."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ladder.rules import rule_sets


@pytest.mark.parametrize(
    ("name", "start", "stake", "cap", "k_start", "tiers"),
    [
        ("fibs-600", "600.00", 8, 200, 5, 6),
        ("fibs-classic", "1500.00", 4, None, 5, 0),
        ("fibs-flat-1800", "1800.00", 4, None, 1, 0),
    ],
)
def test_the_published_constants(name: str, start: str, stake: int, cap: int | None, k_start: int, tiers: int) -> None:
    rules = rule_sets.rule_set(name, 1)
    assert rules.start == Decimal(start)
    assert (rules.system.stake, rules.system.cap, rules.system.scale) == (stake, cap, 2000)
    assert (rules.system.k_start, rules.system.k_floor, rules.system.k_points) == (k_start, 1, 100)
    assert len(rules.tiers) == tiers


def test_lookups() -> None:
    assert rule_sets.latest("fibs-600").name == "fibs-600"
    with pytest.raises(LookupError, match="version 99"):
        rule_sets.rule_set("fibs-600", 99)
    with pytest.raises(LookupError, match="there are: fibs-600, fibs-classic, fibs-flat-1800"):
        rule_sets.latest("elo")
