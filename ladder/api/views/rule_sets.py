"""Rule sets, and a calculator for each: a match between two imagined players."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PublicView
from common.api.inputs import read_body
from common.api.schema import describe
from common.errors import Invalid, NotFound
from ladder.api.inputs import Calculation
from ladder.api.resources.previews import CalculationShown, calculation_shown
from ladder.api.resources.rule_sets import RuleSets, rule_set_shown
from ladder.queries import preview
from ladder.rules import rule_sets
from ladder.rules.systems.system import Player


class AllRuleSets(PublicView):
    @describe("list_rule_sets", "What a ladder can play by", responses=RuleSets)
    def get(self, request: Request) -> Response:
        """The newest version of each rule set, with the constants that a ladder may choose at their defaults."""
        newest = [rule_sets.latest(name) for name in rule_sets.NAMES]
        return Response({"results": [rule_set_shown(rules) for rules in newest]})


class Calculate(PublicView):
    only_reads = True

    @describe(
        "calculate", "All outcomes of a match between imagined players, step by step", request=Calculation,
        responses=CalculationShown,
    )  # fmt: skip
    def post(self, request: Request, name: str) -> Response:
        """The default of a player's numbers are those of a new player."""
        body = read_body(Calculation, request)
        rules = _rules(name, body["options"])
        one, two = (Player(**{"rating": rules.start, **player}) for player in body["players"])
        outcomes = preview.outcomes(rules, one, two, body["match_length"])
        return Response(calculation_shown(rules, body["match_length"], [one, two], outcomes))


def _rules(name: str, options: dict[str, int]) -> rule_sets.RuleSet:
    try:
        newest = rule_sets.latest(name)
    except LookupError:
        raise NotFound("unknown_rules", "There is no such rule set.") from None
    try:
        return rule_sets.rule_set(newest.name, newest.version, options)
    except ValueError as error:
        raise Invalid("bad_option", str(error), field="options") from error
