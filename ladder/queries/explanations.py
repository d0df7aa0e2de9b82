"""Ledger entries, explained: the formula of their rating system with its numbers filled in."""

from __future__ import annotations

from decimal import Decimal

from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.match_life import Ending
from ladder.rules.rule_sets import RuleSet, rule_set
from ladder.rules.systems import system
from ladder.rules.systems.recall import PLAYER, recall
from ladder.rules.systems.system import Player, Score


def rules_of(entry: RatingEntry, ladder: Ladder) -> RuleSet:
    """The rules that the entry was worked out by. ``ladder`` is that of its standing."""
    return rule_set(entry.rule_set, entry.rule_set_version, ladder.rule_options)


def settlement_steps(entry: RatingEntry, ladder: Ladder, match: Match) -> dict[str, str]:
    """The steps that lead to a settlement's change, by name. ``ladder`` is that of its standing."""
    ending = Ending(entry.basis.get("ending") or match.ending or Ending.PLAYED)
    return rules_of(entry, ladder).system.explain(
        entry.change,
        recall(entry.before, entry.experience_before, entry.basis.get(PLAYER, {})),
        Player(rating=Decimal(entry.basis["opponent_rating"])),
        Score.WIN if entry.won else Score.LOSS,
        system.Match(match.match_length, ending),
    )
