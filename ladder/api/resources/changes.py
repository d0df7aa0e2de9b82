"""Rating changes with their formula."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from common.types import OneOf, Probability, SchemaKeywords, merge_types
from ladder.api.resources.types import Movement, movement
from ladder.models import Ladder, Match, RatingEntry
from ladder.queries.rating_entries import settlement_steps
from ladder.rules.rule_sets import RULE_SETS
from ladder.rules.systems.recall import MEMORY, Noted
from ladder.rules.systems.system import Change

Steps = Annotated[
    dict[str, str],
    SchemaKeywords(
        additionalProperties={"type": "string"},
        description="Formulas by the name of the step. Which steps there are depends on the rating system; those of"
        " FIBS are winner_probability, k, delta and after.",
        examples=[{"delta": "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27", "after": "600.00 + 44.27 = 644.27"}],
    ),
]


class _Kept(TypedDict):
    player: NotRequired[Noted]


def basis_types() -> dict[str, type]:
    """The types of ``basis`` of all rating systems, by name."""
    types = {rules.system.basis for rules in RULE_SETS.values()}
    return {
        each.__name__: merge_types(each.__name__, [each, _Kept], each.__doc__ or "")
        for each in sorted(types, key=lambda each: each.__name__)
    }


Basis = Annotated[dict[str, Any], OneOf("Basis", basis_types)]
"""The numbers that the formula used, as the ledger keeps them, and what it read of the player. Decimals are strings."""


class RatingChange(Movement):
    """How a match changes one player's rating: the formula step by step, with its numbers filled in.

    ``win_probability`` is the player's own; null if the rating system has no such number.
    """

    win_probability: Probability | None
    basis: Basis
    explanation: Steps


def rating_change(change: Change | RatingEntry, explanation: dict[str, str]) -> RatingChange:
    """From a change that the rules computed, or from a settlement in the ledger."""
    chance = change.basis.get("win_probability")
    return {
        **movement(change),
        "win_probability": None if chance is None else round(chance, 6),
        "basis": {name: value for name, value in change.basis.items() if name != MEMORY},
        "explanation": explanation,
    }


def settled_change(entry: RatingEntry, ladder: Ladder, match: Match) -> RatingChange:
    """From a settlement in the ledger. ``ladder`` is the ladder of its standing."""
    return rating_change(entry, settlement_steps(entry, ladder, match))
