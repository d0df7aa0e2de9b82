"""Ledger entries: those of a player, and how the change of an entry was computed."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import QuerySet

from accounts.models import User
from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.match_life import Ending
from ladder.rules.rule_sets import RuleSet, rule_set
from ladder.rules.systems import system
from ladder.rules.systems.recall import PLAYER, recall
from ladder.rules.systems.system import Player, Score

ORDER = ("-pk",)


def rating_entries_of(player: User) -> QuerySet[RatingEntry]:
    """The player's entries on all ladders, with the rows that are shown with them, in one query."""
    return RatingEntry.objects.filter(standing__player=player).select_related(
        "standing__ladder", "match__player_one", "match__player_two", "reverses", "follows"
    )


def rules_of(entry: RatingEntry, ladder: Ladder) -> RuleSet:
    """The rules that the entry was computed with. ``ladder`` is the ladder of its standing."""
    return rule_set(entry.rule_set, entry.rule_set_version, ladder.rule_options)


def settlement_steps(entry: RatingEntry, ladder: Ladder, match: Match) -> dict[str, str]:
    """The steps of a settlement's formula with their numbers, by name. ``ladder`` is the ladder of its standing."""
    ending = Ending(entry.basis.get("ending") or match.ending or Ending.PLAYED)
    return rules_of(entry, ladder).system.explain(
        entry.change,
        recall(entry.before, entry.experience_before, entry.basis.get(PLAYER, {})),
        Player(rating=Decimal(entry.basis["opponent_rating"])),
        Score.WIN if entry.won else Score.LOSS,
        system.Match(match.match_length, ending),
    )
