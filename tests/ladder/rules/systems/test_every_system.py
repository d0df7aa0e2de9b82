"""What every rating system keeps. A system that is registered in ``rule_sets`` is tested here by itself."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rule_sets import RuleSet
from ladder.rules.systems.system import Match, Player, Score
from tests.ladder.rules.calculator import evaluate
from tests.ladder.rules.systems.crowd import EVERY, after_a_match, matches, players, ratings, settlements

every_system = pytest.mark.parametrize("rules", EVERY.values(), ids=EVERY)


@every_system
@given(data=st.data())
def test_what_every_settlement_keeps(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    for player, change in zip((one, two), rules.system.settle(one, two, score, match), strict=True):
        assert change.before == player.rating
        assert change.after == change.before + change.delta
        assert change.after.as_tuple().exponent == change.delta.as_tuple().exponent == -2
        assert not (change.delta.is_signed() and change.delta == 0)
        assert change.experience_before == player.experience
        assert change.experience_after == player.experience + match.length


@every_system
@given(data=st.data())
def test_nobody_loses_by_winning_or_gains_by_losing(rules: RuleSet, data: st.DataObject) -> None:
    one, two, _, match = data.draw(settlements(rules))
    won, lost = rules.system.settle(one, two, Score.WIN, match)
    assert won.delta >= 0 >= lost.delta


@every_system
@given(data=st.data())
def test_the_other_side_of_the_table_sees_the_same_match(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    first, second = rules.system.settle(one, two, score, match)
    assert rules.system.settle(two, one, score.opposite, match) == (second, first)


@every_system
@given(data=st.data())
def test_a_draw_of_equals_moves_nobody(rules: RuleSet, data: st.DataObject) -> None:
    one, _, _, match = data.draw(settlements(rules))
    if rules.system.has_draws:
        assert [change.delta for change in rules.system.settle(one, one, Score.DRAW, match)] == [0, 0]
    else:
        with pytest.raises(ValueError, match="no draws"):
            rules.system.settle(one, one, Score.DRAW, match)


@every_system
@pytest.mark.parametrize("length", [-1, 0, 100])
def test_match_lengths_outside_1_to_99_are_refused(rules: RuleSet, length: int) -> None:
    with pytest.raises(ValueError, match="1 to 99"):
        rules.system.settle(Player(rules.start), Player(rules.start), Score.WIN, Match(length))


@every_system
@pytest.mark.parametrize("length", [1, 99])
@pytest.mark.parametrize("rating", ["32500.00", "9999999.99", "123456789012.34"])
def test_absurd_ratings_do_not_overflow(rules: RuleSet, length: int, rating: str) -> None:
    high, low = Player(Decimal(rating)), Player(Decimal(f"-{rating}"))
    for one, two in ((high, low), (low, high)):
        won, lost = rules.system.settle(one, two, Score.WIN, Match(length))
        assert won.delta >= 0 >= lost.delta


def test_equal_systems_have_the_same_hash_and_different_ones_are_different() -> None:
    systems = {rules.system for rules in EVERY.values()}
    assert {deepcopy(system) for system in systems} == systems
    described = {json.dumps([rules.system.parameters, rules.system.formula()]) for rules in EVERY.values()}
    assert len(described) == len(systems)


@every_system
@given(data=st.data())
def test_the_chance_to_win_grows_with_the_difference_alone(rules: RuleSet, data: st.DataObject) -> None:
    rating = ratings(rules)
    own, other, shift, lead = data.draw(st.tuples(rating, rating, rating, st.decimals("0", "2000", places=2)))
    length = data.draw(matches).length
    chance = rules.system.win_probability(own, other, length)
    if chance is None:
        assert rules.system.win_probability(own + lead, other, length) is None
        return
    assert 0 <= chance <= 1
    assert rules.system.win_probability(other, other, length) == 0.5
    assert rules.system.win_probability(own + shift, other + shift, length) == chance
    assert rules.system.win_probability(other, own, length) == pytest.approx(1 - chance, abs=1e-12)
    better = rules.system.win_probability(own + lead, other, length)
    assert better is not None
    assert better >= chance


@every_system
@given(data=st.data())
def test_the_multiplier_is_1_or_more(rules: RuleSet, data: st.DataObject) -> None:
    assert 1 <= rules.system.multiplier(data.draw(players(rules))) < math.inf


@every_system
@given(data=st.data())
def test_an_explanation_leads_to_the_change(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    mine, theirs = rules.system.settle(one, two, score, match)
    sides = ((mine, one, two, score), (theirs, two, one, score.opposite))
    for change, player, opponent, own_score in sides:
        steps = rules.system.explain(change, player, opponent, own_score, match)
        assert list(steps) == [*rules.system.formula(), "after"]
        value, stated = evaluate(steps["delta"])
        assert stated == change.delta
        # half a cent of rounding, and what was worked out before is printed with a few places
        assert value == pytest.approx(float(change.delta), abs=0.0053)
        value, stated = evaluate(steps["after"])
        assert stated == change.after
        assert value == pytest.approx(float(change.after))


@every_system
@given(data=st.data())
def test_what_is_kept_survives_json(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    for change in rules.system.settle(one, two, score, match):
        for kept in (change.basis, change.memory, rules.system.parameters):
            assert json.loads(json.dumps(kept, allow_nan=False)) == kept


def outcomes(rules: RuleSet, player: Player) -> list[tuple[object, ...]]:
    """What every result makes of the player; without experience, which all systems count."""
    results = [score for score in Score if rules.system.has_draws or score is not Score.DRAW]
    changes = [rules.system.settle(player, Player(rules.start), score, Match(5))[0] for score in results]
    return [(change.delta, change.basis, change.memory) for change in changes]


@every_system
def test_a_change_depends_on_the_fields_it_says_and_on_no_other(rules: RuleSet) -> None:
    """A field is needed when another value of it makes a difference to somebody."""
    others: dict[str, Any] = {"experience": 300, "games": 300, "peak": Decimal("3000.00"), "is_junior": True}
    crowd = [Player(rules.start + above, games=games) for above in (-300, 0, 600, 1500) for games in (0, 50)]
    needed: set[str] = set()
    for player in crowd:
        changed = {name: replace(player, **{name: value}) for name, value in others.items()}
        changed["memory"] = after_a_match(rules, player)
        needed |= {name for name, other in changed.items() if outcomes(rules, other) != outcomes(rules, player)}
    assert needed == rules.system.needs


@every_system
def test_a_system_that_does_not_read_its_memory_writes_none(rules: RuleSet) -> None:
    change, _ = rules.system.settle(Player(rules.start), Player(rules.start), Score.WIN, Match(5))
    assert bool(change.memory) == ("memory" in rules.system.needs)


@every_system
@given(data=st.data())
def test_the_basis_is_what_the_system_says_it_is(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    types = get_type_hints(rules.system.basis)
    for change in rules.system.settle(one, two, score, match):
        assert {name: type(value) for name, value in change.basis.items()} == types
