"""Every system that a ladder can choose, at its defaults and at the ends of its options, and players for each."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache

from hypothesis import strategies as st

from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Ending
from ladder.rules.rule_sets import RULE_SETS, RuleSet, rule_set
from ladder.rules.systems.system import Match, Player, Score


def _variants(rules: RuleSet) -> dict[str, RuleSet]:
    """The rule set as it is, and with all its options at their least and at their most."""
    found = {rules.name: rules}
    if rules.options:
        least = {name: option.least for name, option in rules.options.items()}
        most = {name: option.most for name, option in rules.options.items()}
        found |= {f"{rules.name} {chosen}": rule_set(rules.name, rules.version, chosen) for chosen in (least, most)}
    return found


EVERY = {name: rules for base in RULE_SETS.values() for name, rules in _variants(base).items()}

matches = st.builds(Match, st.integers(MIN_MATCH_LENGTH, MAX_MATCH_LENGTH), st.sampled_from(Ending))


@cache
def scores(rules: RuleSet) -> st.SearchStrategy[Score]:
    return st.sampled_from([score for score in Score if rules.system.has_draws or score is not Score.DRAW])


@cache
def ratings(rules: RuleSet) -> st.SearchStrategy[Decimal]:
    return st.decimals(rules.start - 2000, rules.start + 2000, places=2)


def after_a_match(rules: RuleSet, player: Player) -> Player:
    """The player with what the system notes of them at a match against somebody new."""
    change, _ = rules.system.settle(player, Player(rules.start), Score.WIN, Match(1))
    return replace(player, memory=change.memory)


@cache
def players(rules: RuleSet) -> st.SearchStrategy[Player]:
    """Players of all kinds: new and old, with and without a peak, with and without something in memory."""
    new = st.builds(
        Player,
        rating=ratings(rules),
        experience=st.integers(0, 1000),
        games=st.integers(0, 100),
        peak=st.none() | ratings(rules),
        is_junior=st.booleans(),
    )
    return new | new.map(lambda player: after_a_match(rules, player))


@cache
def settlements(rules: RuleSet) -> st.SearchStrategy[tuple[Player, Player, Score, Match]]:
    """All that a settlement takes."""
    return st.tuples(players(rules), players(rules), scores(rules), matches)
