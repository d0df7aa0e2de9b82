"""Pairs of players that the queue has paired often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from common import sql
from matchmaking.queries.queue import first_match_id_since


@dataclass(frozen=True, slots=True)
class Meetings:
    """Two players and their ranked matches from the queue.

    ``moved_one`` and ``moved_two`` are the changes of their ratings by these matches, including reversals.
    """

    one_id: int
    one: str
    two_id: int
    two: str
    matches: int
    wins_one: int
    wins_two: int
    moved_one: Decimal
    moved_two: Decimal
    last_at: datetime


# The changes of ratings are read only for the pairs that are shown.
_MEETINGS = """
    WITH met AS (
        SELECT least(m.player_one_id, m.player_two_id) AS one, greatest(m.player_one_id, m.player_two_id) AS two,
               count(*) AS matches, array_agg(m.id) AS ids, max(m.started_at) AS last_at,
               count(*) FILTER (WHERE m.winner_id = least(m.player_one_id, m.player_two_id)) AS wins_one,
               count(*) FILTER (WHERE m.winner_id = greatest(m.player_one_id, m.player_two_id)) AS wins_two
        FROM ladder_match m
        WHERE m.id >= %(first_id)s AND m.origin = 'matchmaking' AND m.started_at >= %(since)s
        GROUP BY 1, 2 HAVING count(*) > 1
        ORDER BY count(*) DESC, max(m.started_at) DESC LIMIT %(most)s
    )
    SELECT met.one, one.username, met.two, two.username, met.matches, met.wins_one, met.wins_two,
           coalesce(moved.one, 0), coalesce(moved.two, 0), met.last_at
    FROM met
    JOIN accounts_user one ON one.id = met.one
    JOIN accounts_user two ON two.id = met.two
    LEFT JOIN LATERAL (
        SELECT sum(e.delta) FILTER (WHERE s.player_id = met.one) AS one,
               sum(e.delta) FILTER (WHERE s.player_id = met.two) AS two
        FROM ladder_ratingentry e JOIN ladder_standing s ON s.id = e.standing_id
        WHERE e.match_id = ANY(met.ids)
    ) moved ON true
    ORDER BY met.matches DESC, met.last_at DESC
"""


def repeat_opponents(period: timedelta, most: int) -> list[Meetings]:
    """The pairs with more than one match from the queue in the period, the most frequent first."""
    since = timezone.now() - period
    rows = sql.query(_MEETINGS, {"since": since, "first_id": first_match_id_since(since), "most": most})
    return [Meetings(*row) for row in rows]
