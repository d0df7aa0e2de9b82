"""What operators look at: who waits, how well the queue does its work, and who meets whom too often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from django.utils import timezone

from ladder.models import Ladder, Standing
from ladder.services import sql
from matchmaking.models import Ticket
from matchmaking.pairing.window import head_start, window
from matchmaking.services.queue import first_id
from matchmaking.services.tickets import waiting


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ticket in the queue. ``waited`` is in seconds, ``window`` in percentage points from 50 %."""

    ticket: Ticket
    rating: Decimal
    waited: float
    window: int
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class Line:
    """A ladder's queue: how many wait on it, and those who have waited longest."""

    ladder: Ladder
    length: int
    first: list[Waiting]


def lines(most: int) -> list[Line]:
    """The queue of each ladder, with at most so many tickets of each, the longest wait first."""
    return [_line(ladder, most) for ladder in Ladder.objects.order_by("slug")]


def _line(ladder: Ladder, most: int) -> Line:
    now = timezone.now()
    queue = waiting().filter(ladder=ladder)
    tickets = list(queue.select_related("account").order_by("waiting_since", "pk")[:most])
    players = [ticket.account_id for ticket in tickets]
    standings = {it.player_id: it for it in Standing.objects.filter(ladder=ladder, player__in=players)}
    rules = ladder.rules
    first = []
    for ticket in tickets:
        standing = standings.get(ticket.account_id)
        rating, experience = (standing.rating, standing.experience) if standing else (rules.start, 0)
        waited = max((now - ticket.waiting_since).total_seconds(), 0.0)
        width = window(np.array([waited]), np.array([head_start(rules.system.k(experience, 1))]))
        first.append(Waiting(ticket, rating, waited, int(width[0]), ticket.last_seen))
    return Line(ladder, len(tickets) if len(tickets) < most else queue.count(), first)


@dataclass(frozen=True, slots=True)
class Meetings:
    """Two players and the ranked matches that the queue made between them.

    ``moved_one`` and ``moved_two`` are the rating points that these matches brought each of them, reversals included.
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


# Ids of matches grow with time, so the primary key bounds the time. What moved is asked for the few pairs shown alone.
_MEETINGS = """
    WITH met AS (
        SELECT least(m.player_one_id, m.player_two_id) AS one, greatest(m.player_one_id, m.player_two_id) AS two,
               count(*) AS matches, array_agg(m.id) AS ids, max(m.started_at) AS last_at,
               count(*) FILTER (WHERE m.winner_id = least(m.player_one_id, m.player_two_id)) AS wins_one,
               count(*) FILTER (WHERE m.winner_id = greatest(m.player_one_id, m.player_two_id)) AS wins_two
        FROM ladder_match m
        WHERE m.id >= %(since)s::uuid AND m.origin = 'matchmaking' AND m.started_at IS NOT NULL
        GROUP BY 1, 2 HAVING count(*) > 1
        ORDER BY count(*) DESC, max(m.started_at) DESC LIMIT %(most)s
    )
    SELECT met.one, one.username, met.two, two.username, met.matches, met.wins_one, met.wins_two,
           coalesce(moved.one, 0), coalesce(moved.two, 0), met.last_at
    FROM met
    JOIN ladder_user one ON one.id = met.one
    JOIN ladder_user two ON two.id = met.two
    LEFT JOIN LATERAL (
        SELECT sum(e.delta) FILTER (WHERE s.player_id = met.one) AS one,
               sum(e.delta) FILTER (WHERE s.player_id = met.two) AS two
        FROM ladder_ratingentry e JOIN ladder_standing s ON s.id = e.standing_id
        WHERE e.match_id = ANY(met.ids)
    ) moved ON true
    ORDER BY met.matches DESC, met.last_at DESC
"""


def repeat_opponents(period: timedelta, most: int) -> list[Meetings]:
    """The pairs whom the queue brought together more than once in the period, the most frequent first."""
    rows = sql.query(_MEETINGS, {"since": first_id(timezone.now() - period), "most": most})
    return [Meetings(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Length:
    """How many wait on a ladder, and for how long, in seconds."""

    ladder: str
    tickets: int
    longest: float
    median: float


_LENGTHS = """
    SELECT l.slug, count(t.id), coalesce(max(t.waited), 0)::float8,
           coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.waited), 0)::float8
    FROM ladder_ladder l
    LEFT JOIN (
        SELECT id, ladder_id, greatest(extract(epoch FROM %(now)s - waiting_since), 0)::float8 AS waited
        FROM matchmaking_ticket WHERE state = 'waiting'
    ) t ON t.ladder_id = l.id
    GROUP BY l.slug ORDER BY l.slug
"""


def lengths() -> list[Length]:
    """How long the queue of each ladder is now."""
    return [Length(*row) for row in sql.query(_LENGTHS, {"now": timezone.now()})]


@dataclass(frozen=True, slots=True)
class Work:
    """What the queue of one ladder did in a period: numbers of offers, and figures over them.

    ``waited`` is in seconds and counts both players of each offer; ``unfairness`` is the distance of the win
    probability from one half. Where no offer was made these are ``None``.
    """

    ladder: str
    outcomes: dict[str, int]
    faults: dict[str, int]
    waited_median: float | None
    waited_p95: float | None
    unfairness_mean: float | None
    unfairness_p95: float | None


_OFFERS = """
    SELECT m.ladder_id, count(*) FILTER (WHERE o.outcome = 'open'), count(*) FILTER (WHERE o.outcome = 'started'),
           count(*) FILTER (WHERE o.outcome = 'declined'), count(*) FILTER (WHERE o.outcome = 'expired'),
           avg(abs(o.win_probability - 0.5)),
           percentile_cont(0.95) WITHIN GROUP (ORDER BY abs(o.win_probability - 0.5))
    FROM matchmaking_offer o JOIN ladder_match m ON m.id = o.match_id
    WHERE o.match_id >= %(since)s::uuid GROUP BY 1
"""
_WAITED = """
    SELECT m.ladder_id, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY s.waited)
    FROM matchmaking_offerside s JOIN ladder_match m ON m.id = s.offer_id
    WHERE s.offer_id >= %(since)s::uuid GROUP BY 1
"""
_FAULTS = """
    SELECT m.ladder_id, count(*) FILTER (WHERE p.fault = 'declined'), count(*) FILTER (WHERE p.fault = 'unanswered')
    FROM matchmaking_penalty p JOIN ladder_match m ON m.id = p.match_id
    WHERE p.match_id >= %(since)s::uuid GROUP BY 1
"""


def work(period: timedelta) -> list[Work]:
    """What the queue of each ladder did: the offers made in the period, and what became of them by now."""
    parameters = {"since": first_id(timezone.now() - period)}
    offers = _by_ladder(_OFFERS, parameters)
    waited = _by_ladder(_WAITED, parameters)
    faults = _by_ladder(_FAULTS, parameters)
    done = []
    for ladder, slug in Ladder.objects.order_by("slug").values_list("pk", "slug"):
        *outcomes, mean, p95 = offers.get(ladder, (0, 0, 0, 0, None, None))
        (quantiles,) = waited.get(ladder, ((None, None),))
        done.append(
            Work(
                ladder=slug,
                outcomes=dict(zip(("open", "started", "declined", "expired"), outcomes, strict=True)),
                faults=dict(zip(("declined", "unanswered"), faults.get(ladder, (0, 0)), strict=True)),
                waited_median=quantiles[0],
                waited_p95=quantiles[1],
                unfairness_mean=mean,
                unfairness_p95=p95,
            )
        )
    return done


def _by_ladder(statement: str, parameters: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    return {ladder: tuple(figures) for ladder, *figures in sql.query(statement, parameters)}
