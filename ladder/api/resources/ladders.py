"""Ladders and their rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TypedDict

from common.types import Display, Points, Slug
from ladder.api.resources.rule_sets import RuleSetDetails, rule_set_shown
from ladder.api.resources.types import points
from ladder.models import DecayPause, Ladder
from ladder.rules import decay
from ladder.rules.rounding import whole_points
from ladder.rules.tiers import Tier


class TierShown(TypedDict):
    """A band of ratings, from its edge up to the next tier. ``nightly_decay`` is in points; 0 means no decay."""

    name: str
    edge: int
    nightly_decay: int


class PauseShown(TypedDict):
    """Days without decay, first and last included, and the reason."""

    first_day: date
    last_day: date
    reason: str


class DecayRule(TypedDict):
    """After ``grace_days`` without a ranked match, a player loses the nightly step of their tier, down to ``floor``.

    An event is sent ``notice_days`` before the first night. ``pauses`` are those that have not ended.
    """

    grace_days: int
    notice_days: int
    floor: Points
    pauses: list[PauseShown]


class LadderShown(TypedDict):
    """A ladder. Its days and weeks start at midnight in its time zone. ``decay`` is null if no tier decays.

    ``overall`` is the overall ladder, if any: each ranked match on this ladder also counts there.
    """

    slug: Slug
    name: str
    time_zone: str
    match_lengths: list[int]
    start_rating: Points
    start_rating_display: Display
    rules: RuleSetDetails
    tiers: list[TierShown]
    decay: DecayRule | None
    overall: Slug | None


class LadderPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[LadderShown]


def ladder_shown(ladder: Ladder, pauses: Sequence[DecayPause]) -> LadderShown:
    """``pauses``: those that have not ended."""
    rules = ladder.rules
    return {
        "slug": ladder.slug,
        "name": ladder.name,
        "time_zone": ladder.time_zone,
        "match_lengths": ladder.match_lengths,
        "start_rating": points(rules.start),
        "start_rating_display": whole_points(rules.start),
        "rules": rule_set_shown(rules),
        "tiers": [_tier(tier) for tier in rules.tiers],
        "decay": _decay(ladder, pauses),
        "overall": ladder.overall.slug if ladder.overall else None,
    }


def _tier(tier: Tier) -> TierShown:
    return {"name": tier.name, "edge": tier.edge, "nightly_decay": tier.nightly_decay}


def _decay(ladder: Ladder, pauses: Sequence[DecayPause]) -> DecayRule | None:
    floor = decay.floor(ladder.rules.tiers)
    if floor is None:
        return None
    return {
        "grace_days": decay.GRACE_DAYS,
        "notice_days": decay.NOTICE_DAYS,
        "floor": points(floor),
        "pauses": [
            {"first_day": pause.first_day, "last_day": pause.last_day, "reason": pause.reason} for pause in pauses
        ],
    }
