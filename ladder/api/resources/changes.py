"""Rating changes with the formula that made them."""

from __future__ import annotations

from typing import Annotated, Any

from common.types import About, Probability
from ladder.api.resources.types import Movement, movement
from ladder.models import Ladder, Match, RatingEntry
from ladder.queries.rating_entries import settlement_steps
from ladder.rules.systems.system import Change

Steps = Annotated[
    dict[str, str],
    About(
        additionalProperties={"type": "string"},
        description="Formulas by the name of the step. Which steps there are depends on the rating system; those of"
        " FIBS are winner_probability, k, delta and after.",
        examples=[{"delta": "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27", "after": "600.00 + 44.27 = 644.27"}],
    ),
]
Basis = Annotated[
    dict[str, Any],
    About(
        description="The numbers that the formula used, as the ledger keeps them; their names are those of the rating"
        " system. Decimals are strings.",
        examples=[{"win_probability": 0.5, "k": "4.95", "opponent_rating": "600.00"}],
    ),
]


class RatingChange(Movement):
    """What a match does to one player's rating, and why: the formula step by step, with its numbers filled in.

    ``win_probability`` is the player's own chance; null where the rating system has no such number.
    """

    win_probability: Probability | None
    basis: Basis
    explanation: Steps


def rating_change(change: Change | RatingEntry, explanation: dict[str, str]) -> RatingChange:
    """Of a change that the rules computed, or of a settlement in the ledger."""
    chance = change.basis.get("win_probability")
    return {
        **movement(change),
        "win_probability": None if chance is None else round(chance, 6),
        "basis": dict(change.basis),
        "explanation": explanation,
    }


def settled_change(entry: RatingEntry, ladder: Ladder, match: Match) -> RatingChange:
    """Of a settlement in the ledger. ``ladder`` is that of its standing."""
    return rating_change(entry, settlement_steps(entry, ladder, match))
