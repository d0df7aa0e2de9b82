"""All that bears on one match, gathered for its page in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.admin.staff import staff
from accounts.models import AuditEntry, User
from accounts.points import action_label
from ladder.admin.explanations import Movement, movement
from ladder.admin.ruling_form import OVERTURN, RULE
from ladder.admin.words import STATE_COLOURS, reason_in_words
from ladder.models import Match, MatchReport, RatingEntry, Standing
from ladder.rules.match_life import ConfirmedBy, State


@dataclass(slots=True)
class Side:
    """One player, what he said and where he stands."""

    player: User
    is_winner: bool
    answer: str
    """What he did about the other's report, where he made none himself."""
    standing: Standing | None
    statement: str
    reports: list[MatchReport] = field(default_factory=list)


@dataclass(slots=True)
class Deed:
    """A line of the match's audit trail."""

    entry: AuditEntry
    what: str
    reason_code: str


@dataclass(slots=True)
class MatchPage:
    match: Match
    sides: list[Side]
    movements: list[Movement]
    deeds: list[Deed]
    state_colour: str
    void_reason: str
    unrated_reason: str
    ruling: str | None
    """The name of the page where the moderator who looks at this may rule it, if there is one."""


def match_page(request: HttpRequest, match: Match) -> MatchPage:
    may_rule = staff(request).has_perm("ladder.rule_match")
    return MatchPage(
        match=match,
        sides=_sides(match),
        movements=movements_of(match),
        deeds=_deeds(match),
        state_colour=STATE_COLOURS[State(match.state)],
        void_reason=reason_in_words(match.void_reason),
        unrated_reason=reason_in_words(match.unrated_reason),
        ruling=next((deed.name for deed in (RULE, OVERTURN) if may_rule and match.state in deed.states), None),
    )


def movements_of(match: Match) -> list[Movement]:
    """The match's ledger entries, the oldest first."""
    entries = RatingEntry.objects.filter(match=match).select_related("reverses", "actor", "standing__player")
    movements = []
    for entry in entries.order_by("id"):
        entry.match = match
        movements.append(movement(entry, entry.standing.player))
    return movements


def _sides(match: Match) -> list[Side]:
    standings = {
        standing.player_id: standing
        for standing in Standing.objects.filter(
            ladder_id=match.ladder_id, player__in=[match.player_one_id, match.player_two_id]
        )
    }
    for standing in standings.values():
        standing.ladder = match.ladder  # its tier asks for the rules
    reports = list(MatchReport.objects.filter(match=match).select_related("winner").order_by("created_at"))
    return [
        Side(
            player=player,
            is_winner=player.pk == match.winner_id,
            answer=_answer(match, said=bool(says)),
            standing=standings.get(player.pk),
            statement=statement,
            reports=[report for report in reports if report.reporter_id == player.pk],
        )
        for player, says, statement in (
            (match.player_one, match.one_says, match.one_statement),
            (match.player_two, match.two_says, match.two_statement),
        )
    ]


def _answer(match: Match, *, said: bool) -> str:
    if said or not (match.one_says or match.two_says):
        return ""
    if match.one_statement or match.two_statement or match.state == State.DISPUTED:
        return _("Disputes the report.")
    return _("Confirmed the report.") if match.confirmed_by == ConfirmedBy.OPPONENT else ""


def _deeds(match: Match) -> list[Deed]:
    entries = AuditEntry.objects.filter(target_type="ladder.match", target_id=str(match.pk)).select_related("actor")
    return [
        Deed(entry, action_label(entry.action), reason_in_words(entry.data.get("reason_code")))
        for entry in entries.order_by("id")
    ]
