"""Rule sets: rating systems with their constants."""

from __future__ import annotations

from typing import Annotated, TypedDict

from common.types import Points, SchemaKeywords
from ladder.api.resources.changes import Steps
from ladder.api.resources.types import points
from ladder.rules.rule_sets import RuleSet

Parameters = Annotated[
    dict[str, float | None],
    SchemaKeywords(
        additionalProperties={"type": ["number", "null"]},
        description="Constants by name; null: no such limit.",
        examples=[{"stake": 8, "cap": 200}],
    ),
]


class RuleSetShown(TypedDict):
    """The rating system with its constants, which depend on the system. ``formula`` has one formula for each step of an
    explanation. If matches can be drawn, previews contain the draw."""

    name: str
    version: int
    title: str
    parameters: Parameters
    formula: Steps
    draws: bool


class OptionShown(TypedDict):
    """A constant that a ladder may choose: a whole number from ``least`` to ``most``."""

    name: str
    default: int
    least: int
    most: int


class RuleSetDetails(RuleSetShown):
    """A rule set with the starting rating and the constants that a ladder may choose."""

    start_rating: Points
    options: list[OptionShown]


class RuleSets(TypedDict):
    results: list[RuleSetDetails]


def rule_set_shown(rules: RuleSet) -> RuleSetDetails:
    return {
        "name": rules.name,
        "version": rules.version,
        "title": rules.title,
        "parameters": dict(rules.system.parameters),
        "formula": rules.system.formula(),
        "draws": rules.system.has_draws,
        "start_rating": points(rules.start),
        "options": [
            {"name": name, "default": option.default, "least": option.least, "most": option.most}
            for name, option in rules.options.items()
        ],
    }
