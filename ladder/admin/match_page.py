"""The data of the page of a match, in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.admin.staff import staff
from accounts.models import User
from ladder.admin.explanations import ExplainedEntry, explain_entry
from ladder.admin.ruling_form import OVERTURN, RULE
from ladder.admin.texts import STATE_COLOURS, reason_text
from ladder.models import Match, MatchReport, RatingEntry, Ruling, Standing
from ladder.rules.match_life import ConfirmedBy, State


@dataclass(slots=True)
class Side:
    """One player, with the player's standing and reports."""

    player: User
    is_winner: bool
    answer: str
    """How the player answered the other's report, if the player made no report."""
    standing: Standing | None
    statement: str
    reports: list[MatchReport] = field(default_factory=list)


@dataclass(slots=True)
class MatchPage:
    match: Match
    sides: list[Side]
    entries: list[ExplainedEntry]
    rulings: list[Ruling]
    state_colour: str
    void_reason: str
    unrated_reason: str
    action: str | None
    """The name of the kind of ruling that is possible for this moderator, if any."""


def match_page(request: HttpRequest, match: Match) -> MatchPage:
    may_rule = staff(request).has_perm("ladder.rule_match")
    return MatchPage(
        match=match,
        sides=_sides(match),
        entries=explained_entries(match),
        rulings=list(match.rulings.select_related("winner", "winner_before", "actor")),
        state_colour=STATE_COLOURS[State(match.state)],
        void_reason=reason_text(match.void_reason),
        unrated_reason=reason_text(match.unrated_reason),
        action=next((action.name for action in (RULE, OVERTURN) if may_rule and match.state in action.states), None),
    )


def explained_entries(match: Match) -> list[ExplainedEntry]:
    """The match's ledger entries, the oldest first."""
    entries = RatingEntry.objects.filter(match=match).select_related(
        "reverses", "actor", "standing__player", "standing__ladder"
    )
    explained = []
    for entry in entries.order_by("id"):
        entry.match = match
        explained.append(explain_entry(entry, entry.standing.player))
    return explained


def _sides(match: Match) -> list[Side]:
    standings = {
        standing.player_id: standing
        for standing in Standing.objects.filter(
            ladder_id=match.ladder_id, player__in=[match.player_one_id, match.player_two_id]
        )
    }
    for standing in standings.values():
        standing.ladder = match.ladder  # needed for the tier
    reports = list(MatchReport.objects.filter(match=match).select_related("winner").order_by("created_at"))
    return [
        Side(
            player=player,
            is_winner=player.pk == match.winner_id,
            answer=_answer(match, has_reported=bool(reported_winner)),
            standing=standings.get(player.pk),
            statement=statement,
            reports=[report for report in reports if report.reporter_id == player.pk],
        )
        for player, reported_winner, statement in (
            (match.player_one, match.one_reported_winner, match.one_statement),
            (match.player_two, match.two_reported_winner, match.two_statement),
        )
    ]


def _answer(match: Match, *, has_reported: bool) -> str:
    if has_reported or not (match.one_reported_winner or match.two_reported_winner):
        return ""
    if match.one_statement or match.two_statement or match.state == State.DISPUTED:
        return _("Disputed the report.")
    return _("Confirmed the report.") if match.confirmed_by == ConfirmedBy.OPPONENT else ""
