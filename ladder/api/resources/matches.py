"""Matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from accounts.models import User
from common.types import Code, Slug, Username
from ladder.api.resources.changes import RatingChange, settled_change
from ladder.models import Match, MatchReport, RatingEntry
from ladder.rules.match_life import ConfirmedBy, Ending, State
from ladder.rules.ranked import Origin


class ReportShown(TypedDict):
    """The last report of a player about the match."""

    winner: Username
    loser_score: int | None
    ending: Ending
    created_at: datetime


class MatchPlayer(TypedDict):
    """One side of a match. Only the players and staff see ``report``. ``rating_change`` is null before settlement."""

    username: Username
    accepted: bool
    report: ReportShown | None
    rating_change: RatingChange | None


class MatchShown(TypedDict):
    """A match. Times are UTC. ``unrated_reason`` says why a match is not rated."""

    id: UUID
    ladder: Slug
    origin: Origin
    match_length: int
    rated: bool
    unrated_reason: Code | None
    state: State
    players: list[MatchPlayer]
    winner: Username | None
    loser_score: int | None
    ending: Ending | None
    confirmed_by: ConfirmedBy | None
    ruling: str | None
    created_at: datetime
    expires_at: datetime | None
    started_at: datetime | None
    confirm_by: datetime | None
    finished_at: datetime | None
    settled_at: datetime | None


class MatchPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[MatchShown]


def match_shown(
    match: Match, *, settlements: Iterable[RatingEntry], reports: Sequence[MatchReport] | None = None
) -> MatchShown:
    """``settlements`` are the ledger entries that count for the match. With ``reports=None``, they are not shown."""
    reason = match.unrated_reason or match.void_reason
    changes = {
        entry.standing.player_id: entry for entry in settlements if entry.standing.ladder_id == match.ladder_id
    }  # fmt: skip
    waiting = match.state in (State.OFFERED, State.IN_PROGRESS)

    def side(player: User, accepted_at: datetime | None) -> MatchPlayer:
        entry = changes.get(player.pk)
        return {
            "username": player.username,
            "accepted": accepted_at is not None,
            "report": _report_by(player, match, reports or ()),
            "rating_change": settled_change(entry, match.ladder, match) if entry else None,
        }

    return {
        "id": match.pk,
        "ladder": match.ladder.slug,
        "origin": Origin(match.origin),
        "match_length": match.match_length,
        "rated": reason is None,
        "unrated_reason": reason,
        "state": State(match.state),
        "players": [
            side(match.player_one, match.one_accepted_at),
            side(match.player_two, match.two_accepted_at),
        ],
        "winner": _username(match, match.winner_id),
        "loser_score": match.loser_score,
        "ending": Ending(match.ending) if match.ending else None,
        "confirmed_by": ConfirmedBy(match.confirmed_by) if match.confirmed_by else None,
        "ruling": match.ruling.text if match.ruling else None,
        "created_at": match.created_at,
        "expires_at": match.expires_at if waiting else None,
        "started_at": match.started_at,
        "confirm_by": match.confirm_by if match.state == State.AWAITING_CONFIRMATION else None,
        "finished_at": match.finished_at,
        "settled_at": match.settled_at,
    }


def fetched_match(match: Any, reader: User | None) -> MatchShown:
    """A match from ``ladder.queries.matches``, with what this reader may see."""
    reports = list(match.reports.all()) if may_read_reports(match, reader) else None
    return match_shown(match, settlements=match.settlements, reports=reports)


def may_read_reports(match: Match, reader: User | None) -> bool:
    return reader is not None and (reader.is_staff or match.seat_of(reader.pk) is not None)


def _report_by(player: User, match: Match, reports: Sequence[MatchReport]) -> ReportShown | None:
    # In the order in which they were made: a loss reported after a claimed win is the player's last word.
    for report in reversed(reports):
        if report.reporter_id == player.pk:
            return {
                "winner": _username(match, report.winner_id) or "",
                "loser_score": report.loser_score,
                "ending": Ending(report.ending),
                "created_at": report.created_at,
            }
    return None


def _username(match: Match, player_id: int | None) -> str | None:
    return next((p.username for p in (match.player_one, match.player_two) if p.pk == player_id), None)
