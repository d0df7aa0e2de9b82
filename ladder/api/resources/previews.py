"""Previews: what a match would do."""

from __future__ import annotations

from typing import TypedDict

from common.types import Probability, Slug, Username
from ladder.api.resources.changes import RatingChange, rating_change
from ladder.api.resources.types import RatingShown, points
from ladder.models import Ladder
from ladder.queries.preview import Outcome
from ladder.rules.match_life import Seat
from ladder.rules.types import Player, whole_points


class PreviewedPlayer(RatingShown):
    """A player as the preview takes him; no ``username`` for an imagined one."""

    username: Username | None
    experience: int


class OutcomeShown(TypedDict):
    """What happens if the first (1) or the second (2) player wins; ``rating_changes`` in the order of the players."""

    winner: Seat
    winner_probability: Probability
    rating_changes: list[RatingChange]


class PreviewShown(TypedDict):
    """Both outcomes of a match, worked step by step."""

    ladder: Slug
    match_length: int
    players: list[PreviewedPlayer]
    outcomes: list[OutcomeShown]


def preview_shown(
    ladder: Ladder, match_length: int, names: list[str | None], players: list[Player], outcomes: list[Outcome]
) -> PreviewShown:
    return {
        "ladder": ladder.slug,
        "match_length": match_length,
        "players": [
            {
                "username": name,
                "rating": points(player.rating),
                "rating_display": whole_points(player.rating),
                "experience": player.experience,
            }
            for name, player in zip(names, players, strict=True)
        ],
        "outcomes": [_outcome(ladder, match_length, players, outcome) for outcome in outcomes],
    }


def _outcome(ladder: Ladder, match_length: int, players: list[Player], outcome: Outcome) -> OutcomeShown:
    one, two = players
    return {
        "winner": outcome.winner,
        "winner_probability": round(outcome.winner_probability, 6),
        "rating_changes": [
            rating_change(
                ladder.rules.system,
                change,
                opponent=opponent.rating,
                winner_probability=outcome.winner_probability,
                match_length=match_length,
                won=won,
            )
            for change, opponent, won in (
                (outcome.one, two, outcome.winner == 1),
                (outcome.two, one, outcome.winner == 2),
            )
        ],
    }
