"""The numbers a ladder plays by, under a name and a version."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules import rule_sets
from ladder.rules.rule_sets import RULE_SETS, Option, RuleSet, rule_set
from ladder.rules.systems.elo import Elo


@pytest.mark.parametrize(
    ("name", "start", "stake", "cap", "k_start", "tiers"),
    [
        ("fibs-600", "600.00", 8, 200, 5, 6),
        ("fibs-classic", "1500.00", 4, None, 5, 0),
        ("fibs-flat-1800", "1800.00", 4, None, 1, 0),
    ],
)
def test_the_published_constants(name: str, start: str, stake: int, cap: int | None, k_start: int, tiers: int) -> None:
    rules = rule_set(name, 1)
    assert rules.start == Decimal(start)
    assert rules.system.parameters == {
        "stake": stake, "cap": cap, "scale": 2000, "k_start": k_start, "k_floor": 1, "k_points": 100,
    }  # fmt: skip
    assert len(rules.tiers) == tiers


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("fibs-600", 600), ("fibs-classic", 1500), ("fibs-flat-1800", 1800), ("elo-32", 1200), ("fide", 1500),
        ("fide-table", 1500), ("elo", 1200), ("counter-20", 800),
    ],
)  # fmt: skip
def test_where_everyone_starts(name: str, start: int) -> None:
    assert rule_set(name, 1).start == start


def test_only_the_ladder_s_own_rules_have_tiers() -> None:
    assert [rules.name for rules in RULE_SETS.values() if rules.tiers] == ["fibs-600"]


def test_lookups() -> None:
    assert rule_sets.latest("fibs-600").name == "fibs-600"
    with pytest.raises(LookupError, match="version 99"):
        rule_set("fibs-600", 99)
    with pytest.raises(LookupError, match="version 99"):
        rule_set("elo", 99, {"k": 20})
    with pytest.raises(LookupError, match="there are: fibs-600, fibs-classic, fibs-flat-1800, elo-32"):
        rule_sets.latest("whist")


def test_a_ladder_chooses_k_and_scale() -> None:
    assert rule_set("elo", 1).system == Elo(k=32, scale=400)
    rules = rule_set("elo", 1, {"k": 24, "scale": 600})
    assert rules.system == Elo(k=24, scale=600)
    assert (rules.name, rules.version, rules.start) == ("elo", 1, Decimal(1200))
    # what is not chosen is as it is by default
    assert rule_set("elo", 1, {"scale": 600}).system == Elo(k=32, scale=600)


@given(st.integers(1, 200), st.integers(50, 4000))
def test_equal_rule_sets_are_the_same_object(k: int, scale: int) -> None:
    assert rule_set("elo", 1, {"k": k, "scale": scale}) is rule_set("elo", 1, {"scale": scale, "k": k})


def test_the_defaults_are_the_same_object_however_they_are_asked_for() -> None:
    plain = rule_set("elo", 1)
    assert plain is RULE_SETS["elo", 1]
    for options in ({}, {"k": 32}, {"scale": 400}, {"k": 32, "scale": 400}):
        assert rule_set("elo", 1, options) is plain


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("elo", {"k": 0}, "option 'k' must be a whole number from 1 to 200, not 0"),
        ("elo", {"k": 201}, "option 'k' .* not 201"),
        ("elo", {"k": 20, "scale": 49}, "option 'scale' must be a whole number from 50 to 4000, not 49"),
        ("elo", {"scale": 4001}, "option 'scale'"),
        ("elo", {"k": 20.0}, "option 'k' .* not 20.0"),
        ("elo", {"k": "20"}, "option 'k' .* not '20'"),
        ("elo", {"k": True}, "option 'k' .* not True"),
        ("elo", {"k": None}, "option 'k' .* not None"),
        ("elo", {"cap": 200}, "no option 'cap'; there are: k, scale"),
        ("fibs-600", {"cap": 100}, "rule set 'fibs-600' has no option 'cap'; there are: none"),
    ],
)
def test_options_that_do_not_exist_or_are_out_of_range_are_named(name: str, options, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rule_set(name, 1, options)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.name)
def test_an_option_is_a_constant_of_the_system_and_has_its_default(rules: RuleSet) -> None:
    for name, option in rules.options.items():
        assert isinstance(option, Option)
        assert option.least <= option.default <= option.most
        assert rules.system.parameters[name] == option.default
    assert hash(rules) == hash(rule_set(rules.name, rules.version))
