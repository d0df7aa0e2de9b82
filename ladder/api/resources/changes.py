"""Rating changes with the formula that made them."""

from __future__ import annotations

from decimal import Decimal
from typing import TypedDict

from common.types import Points, Probability
from ladder.api.resources.types import Movement, movement, points
from ladder.models import RatingEntry
from ladder.rules import explain
from ladder.rules.fibs import Fibs
from ladder.rules.rule_sets import rule_set
from ladder.rules.types import Change


class Explanation(TypedDict):
    """The formula step by step, with its numbers filled in; P is the winner's probability."""

    winner_probability: str
    k: str
    delta: str
    after: str


class RatingChange(Movement):
    """What a match does to one player's rating, and why."""

    k: Points
    win_probability: Probability
    explanation: Explanation


def rating_change(
    system: Fibs, change: Change, *, opponent: Decimal, winner_probability: float, match_length: int, won: bool
) -> RatingChange:
    steps = explain.settlement(
        system,
        change,
        opponent=opponent,
        winner_probability=winner_probability,
        match_length=match_length,
        won=won,
    )
    return {
        **movement(change),
        "k": points(change.k),
        "win_probability": round(winner_probability if won else 1 - winner_probability, 6),
        "explanation": {
            "winner_probability": steps["winner_probability"],
            "k": steps["k"],
            "delta": steps["delta"],
            "after": steps["after"],
        },
    }


def settled_change(entry: RatingEntry, match_length: int) -> RatingChange:
    """Of a settlement in the ledger: its row holds all that the formula used."""
    assert entry.k is not None
    assert entry.opponent_rating is not None
    assert entry.winner_probability is not None
    return rating_change(
        rule_set(entry.rule_set, entry.rule_set_version).system,
        entry.change,
        opponent=entry.opponent_rating,
        winner_probability=entry.winner_probability,
        match_length=match_length,
        won=bool(entry.won),
    )
