"""Ladders and the rules they play by."""

from __future__ import annotations

from typing import TypedDict

from ladder.api.resources.types import Display, Points, Slug, points
from ladder.models import Ladder
from ladder.rules import explain
from ladder.rules.tiers import Tier
from ladder.rules.types import whole_points


class TierShown(TypedDict):
    """A band of ratings, from its edge up to the next tier's. ``nightly_decay`` is in points; 0 leaves it alone."""

    name: str
    edge: int
    nightly_decay: int


class Formula(TypedDict):
    """P for the eventual winner, K for each player by his own experience, and the points won and lost."""

    winner_probability: str
    k: str
    delta: str


class RuleSetShown(TypedDict):
    """The numbers of the rating system; ``cap`` null: a match may move a rating by any amount."""

    name: str
    version: int
    title: str
    stake: int
    cap: int | None
    scale: int
    formula: Formula


class LadderShown(TypedDict):
    """A ladder. Its days and weeks begin at midnight in its time zone."""

    slug: Slug
    name: str
    time_zone: str
    match_lengths: list[int]
    start_rating: Points
    start_rating_display: Display
    rules: RuleSetShown
    tiers: list[TierShown]


class LadderPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[LadderShown]


def ladder_shown(ladder: Ladder) -> LadderShown:
    rules = ladder.rules
    formula = explain.formula(rules.system)
    return {
        "slug": ladder.slug,
        "name": ladder.name,
        "time_zone": ladder.time_zone,
        "match_lengths": ladder.match_lengths,
        "start_rating": points(rules.start),
        "start_rating_display": whole_points(rules.start),
        "rules": {
            "name": rules.name,
            "version": rules.version,
            "title": rules.title,
            "stake": rules.system.stake,
            "cap": rules.system.cap,
            "scale": rules.system.scale,
            "formula": {
                "winner_probability": formula["winner_probability"],
                "k": formula["k"],
                "delta": formula["delta"],
            },
        },
        "tiers": [_tier(tier) for tier in rules.tiers],
    }


def _tier(tier: Tier) -> TierShown:
    return {"name": tier.name, "edge": tier.edge, "nightly_decay": tier.nightly_decay}
