"""Previews: how a match would change the ratings."""

from __future__ import annotations

from typing import TypedDict

from common.types import Probability, Slug, Username
from ladder.api.resources.changes import RatingChange, rating_change
from ladder.api.resources.types import RatingShown, points
from ladder.models import Ladder
from ladder.queries.preview import Outcome
from ladder.rules.match_life import Seat
from ladder.rules.rounding import whole_points
from ladder.rules.rule_sets import RuleSet
from ladder.rules.systems.system import Match, Player, System


class PreviewedPlayer(RatingShown):
    """A player in a preview. ``username`` is null for an imagined player."""

    username: Username | None
    experience: int


class OutcomeShown(TypedDict):
    """What happens if the first (1) or the second (2) player wins, or in a draw (null) if the system has draws.

    ``rating_changes`` are in the order of the players. ``winner_probability`` is null for a draw, and if the rating
    system has no such number.
    """

    winner: Seat | None
    winner_probability: Probability | None
    rating_changes: list[RatingChange]


class PreviewShown(TypedDict):
    """All outcomes of a match, with their formulas step by step."""

    ladder: Slug
    match_length: int
    players: list[PreviewedPlayer]
    outcomes: list[OutcomeShown]


class CalculationShown(TypedDict):
    """All outcomes of a match between two imagined players, with their formulas step by step."""

    rule_set: str
    match_length: int
    players: list[PreviewedPlayer]
    outcomes: list[OutcomeShown]


def preview_shown(
    ladder: Ladder, match_length: int, names: list[str | None], players: list[Player], outcomes: list[Outcome]
) -> PreviewShown:
    return {
        "ladder": ladder.slug,
        "match_length": match_length,
        "players": [_player(name, player) for name, player in zip(names, players, strict=True)],
        "outcomes": [_outcome(ladder.rules.system, Match(match_length), players, outcome) for outcome in outcomes],
    }


def calculation_shown(
    rules: RuleSet, match_length: int, players: list[Player], outcomes: list[Outcome]
) -> CalculationShown:
    return {
        "rule_set": rules.name,
        "match_length": match_length,
        "players": [_player(None, player) for player in players],
        "outcomes": [_outcome(rules.system, Match(match_length), players, outcome) for outcome in outcomes],
    }


def _player(name: str | None, player: Player) -> PreviewedPlayer:
    return {
        "username": name,
        "rating": points(player.rating),
        "rating_display": whole_points(player.rating),
        "experience": player.experience,
    }


def _outcome(system: System, match: Match, players: list[Player], outcome: Outcome) -> OutcomeShown:
    one, two = players
    sides = ((outcome.one, one, two, outcome.score), (outcome.two, two, one, outcome.score.opposite))
    chance = outcome.winner_probability
    return {
        "winner": outcome.winner,
        "winner_probability": None if chance is None else round(chance, 6),
        "rating_changes": [
            rating_change(change, system.explain(change, player, opponent, score, match))
            for change, player, opponent, score in sides
        ],
    }
