"""Which matches of a file were imported before, and whether they are the same."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ladder.models import Ladder, Match
from ladder.rules.ranked import Origin
from ladder.services.importing.csv_file import Row
from ladder.services.importing.players import Roster


class MatchContent(NamedTuple):
    """The values of an imported match that never change. Player one is the winner in the file."""

    player_one: int | None
    player_two: int | None
    match_length: int
    played_at: datetime


class ExistingMatch(NamedTuple):
    """An imported match. ``closed`` are its players whose accounts are closed: their names are no longer known."""

    content: MatchContent
    closed: frozenset[int | None]

    def is_same_as(self, row: MatchContent) -> bool:
        existing = self.content
        return (
            row.match_length == existing.match_length
            and _can_start_day(existing.played_at, row.played_at.date())
            and (row.player_one == existing.player_one or existing.player_one in self.closed)
            and (row.player_two == existing.player_two or existing.player_two in self.closed)
        )


def played_at(day: date, ladder: Ladder) -> datetime:
    """The time of an imported match: the start of its day in the ladder's time zone."""
    return datetime.combine(day, time_of_day.min, tzinfo=ZoneInfo(ladder.time_zone))


def _can_start_day(moment: datetime, day: date) -> bool:
    """Whether the day starts then in some time zone: the ladder's zone may have changed since the earlier import."""
    return timedelta(hours=-14) <= moment - datetime.combine(day, time_of_day.min, tzinfo=UTC) <= timedelta(hours=12)


def content_of(row: Row, roster: Roster, ladder: Ladder) -> MatchContent:
    winner, loser = roster.account(row.winner), roster.account(row.loser)
    return MatchContent(winner, loser, row.match_length, played_at(row.played_on, ladder))


def existing_matches(ladder: Ladder, rows: list[Row]) -> dict[str, ExistingMatch]:
    """The imported matches of the ladder with the ids of these rows."""
    matches = Match.objects.filter(
        ladder=ladder, origin=Origin.IMPORT, external_id__in=[row.external_id for row in rows]
    ).values_list(
        "external_id", "player_one_id", "player_one__is_active", "player_two_id", "player_two__is_active",
        "match_length", "created_at",
    )  # fmt: skip
    found = {}
    for external_id, one, one_is_open, two, two_is_open, match_length, created_at in matches:
        closed = frozenset(player for player, is_open in ((one, one_is_open), (two, two_is_open)) if not is_open)
        found[external_id or ""] = ExistingMatch(MatchContent(one, two, match_length, created_at), closed)
    return found


def difference(row: Row) -> str:
    """The text for a row whose id was imported with other values."""
    return f"id {row.external_id!r} was imported before as another match (other players, winner, length or date)"
