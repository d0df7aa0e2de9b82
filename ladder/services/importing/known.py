"""What of a file the ladder already holds: told by the parts of a match that never change."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ladder.models import Ladder, Match
from ladder.rules.ranked import Origin
from ladder.services.importing.players import Roster
from ladder.services.importing.sheet import Row


class Content(NamedTuple):
    """A match as the file tells it: player one won. It stays so when a moderator later rules otherwise."""

    player_one: int | None
    player_two: int | None
    match_length: int
    played_at: datetime


class Known(NamedTuple):
    """An imported match. The names of ``closed`` accounts are gone, so no file can name them any more."""

    content: Content
    closed: frozenset[int | None]

    def agrees_with(self, told: Content) -> bool:
        held = self.content
        return (
            told.match_length == held.match_length
            and _begins_the_day(held.played_at, told.played_at.date())
            and (told.player_one == held.player_one or held.player_one in self.closed)
            and (told.player_two == held.player_two or held.player_two in self.closed)
        )


def played_at(day: date, ladder: Ladder) -> datetime:
    """When a match of that day counts as played: at its beginning, in the ladder's time zone."""
    return datetime.combine(day, time_of_day.min, tzinfo=ZoneInfo(ladder.time_zone))


def _begins_the_day(moment: datetime, day: date) -> bool:
    """Whether the day may begin at that moment somewhere: the ladder's time zone may have been another then."""
    return timedelta(hours=-14) <= moment - datetime.combine(day, time_of_day.min, tzinfo=UTC) <= timedelta(hours=12)


def content_of(row: Row, roster: Roster, ladder: Ladder) -> Content:
    winner, loser = roster.account(row.winner), roster.account(row.loser)
    return Content(winner, loser, row.match_length, played_at(row.played_on, ladder))


def known_matches(ladder: Ladder, rows: list[Row]) -> dict[str, Known]:
    """The matches that were imported into the ladder under the ids of these rows."""
    matches = Match.objects.filter(
        ladder=ladder, origin=Origin.IMPORT, external_id__in=[row.external_id for row in rows]
    ).values_list(
        "external_id", "player_one_id", "player_one__is_active", "player_two_id", "player_two__is_active",
        "match_length", "created_at",
    )  # fmt: skip
    known = {}
    for external_id, one, one_is_open, two, two_is_open, match_length, created_at in matches:
        closed = frozenset(player for player, is_open in ((one, one_is_open), (two, two_is_open)) if not is_open)
        known[external_id or ""] = Known(Content(one, two, match_length, created_at), closed)
    return known


def contradiction(row: Row) -> str:
    """What to say about a row whose id the ladder holds with another content."""
    return f"id {row.external_id!r} was imported before as another match (other players, winner, length or date)"
