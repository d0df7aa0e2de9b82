"""What the ledger keeps of a player is enough to work a change out again."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rule_sets import RuleSet
from ladder.rules.systems.fibs import Fibs
from ladder.rules.systems.fide import Fide
from ladder.rules.systems.recall import noted, recall
from ladder.rules.systems.system import Player
from tests.ladder.rules.systems.crowd import EVERY, settlements


class Curious(Fibs):
    """A system that reads everything."""

    needs = frozenset({"experience", "games", "peak", "is_junior", "memory"})


CURIOUS = Curious(stake=8, cap=None)

anybody = st.builds(
    Player,
    rating=st.decimals("-1000", "4000", places=2),
    experience=st.integers(0, 5000),
    games=st.integers(0, 5000),
    peak=st.none() | st.decimals("-1000", "4000", places=2),
    is_junior=st.booleans(),
    memory=st.dictionaries(st.text(), st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()),
)


def through_json(player: Player, system) -> Player:
    return recall(player.rating, player.experience, json.loads(json.dumps(noted(player, system))))


@given(anybody)
def test_nothing_is_lost_of_what_a_system_reads(player: Player) -> None:
    assert through_json(player, CURIOUS) == player
    assert through_json(player, Fide()) == replace(player, memory={})
    assert through_json(player, CLASSIC) == Player(player.rating, player.experience)


CLASSIC = Fibs(stake=4, cap=None)


def test_only_what_a_system_reads_is_noted() -> None:
    player = Player(Decimal("1500.00"), 120, games=17, peak=Decimal("1520.50"), is_junior=True, memory={"x": 0.5})
    assert noted(player, CLASSIC) == {}
    assert noted(player, Fide()) == {"games": 17, "peak": "1520.50", "is_junior": True}
    assert noted(player, CURIOUS)["memory"] == {"x": 0.5}


@pytest.mark.parametrize("rules", EVERY.values(), ids=EVERY)
@given(data=st.data())
def test_a_change_can_be_worked_out_again(rules: RuleSet, data: st.DataObject) -> None:
    one, two, score, match = data.draw(settlements(rules))
    one_again, two_again = through_json(one, rules.system), through_json(two, rules.system)
    assert rules.system.settle(one_again, two_again, score, match) == rules.system.settle(one, two, score, match)
