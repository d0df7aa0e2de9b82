"""The queue as input of pairing: tickets, ratings, blocks and earlier meetings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.utils import timezone

from common import sql
from common.ids import first_uuid7
from ladder.models import Ladder
from ladder.rules.systems.system import Player
from ladder.services.matches.eligibility import may_not_start
from matchmaking.limits import LONGEST_MATCH, LONGEST_OFFER, MEETING_PERIOD, UNDELIVERED_PAUSE
from matchmaking.pairing.types import Met, Ticket
from matchmaking.queries.tickets import silence_limit

_FORBIDDEN = """
    SELECT account_id, blocked_id FROM accounts_block
    WHERE account_id = ANY(%(accounts)s) AND blocked_id = ANY(%(accounts)s)
    UNION ALL
    SELECT m.player_one_id, m.player_two_id FROM matchmaking_offer o JOIN ladder_match m ON m.id = o.match_id
    WHERE o.created_at > %(now)s - %(longest)s AND o.outcome = 'expired' AND o.closed_at > %(now)s - %(pause)s
      AND EXISTS (SELECT 1 FROM matchmaking_offerside s WHERE s.offer_id = o.match_id AND NOT s.delivered)
"""
# Ranked matches of the last day between two players in the queue. A match that started earlier may have ended in that
# day. Ids of matches grow with time, so the first possible id limits the rows to read.
_MEETINGS = """
    SELECT m.player_one_id, m.player_two_id,
           min(extract(epoch FROM %(now)s - coalesce(m.finished_at, %(now)s)))::float8,
           count(*) FILTER (WHERE m.started_at > %(since)s)
    FROM unnest(%(accounts)s::bigint[]) AS queued (account_id)
    JOIN ladder_match m ON m.player_one_id = queued.account_id AND m.player_two_id = ANY(%(accounts)s)
    WHERE m.id >= %(first_id)s AND m.origin = 'matchmaking' AND m.started_at IS NOT NULL
      AND coalesce(m.finished_at, %(now)s) > %(since)s
    GROUP BY m.player_one_id, m.player_two_id
"""


@cache
def _tickets() -> str:
    return f"""
    SELECT t.id::text, t.account_id, coalesce(s.rating, %(start)s::numeric),
           coalesce(s.peak_rating, %(start)s::numeric), coalesce(s.experience, 0), coalesce(s.wins + s.losses, 0),
           coalesce(s.memory, '{{}}'),
           t.match_lengths, greatest(extract(epoch FROM %(now)s - t.waiting_since), 0)::float8
    FROM matchmaking_ticket t
    JOIN accounts_user u ON u.id = t.account_id
    LEFT JOIN ladder_standing s ON s.ladder_id = t.ladder_id AND s.player_id = t.account_id
    LEFT JOIN events_presence p ON p.account_id = t.account_id
    WHERE t.ladder_id = %(ladder)s AND t.state = 'waiting'
      AND (%(among)s::bigint[] IS NULL OR t.account_id = ANY(%(among)s))
      AND greatest(t.seen_at, coalesce(p.seen_at, t.seen_at)) >= greatest(t.queued_at, %(alive)s)
      AND NOT {may_not_start()}
"""


def pairable_tickets(ladder: Ladder, among: Collection[int] | None = None) -> list[Ticket]:
    """The tickets (of these accounts) that can be paired now. Nothing is locked."""
    now = timezone.now()
    parameters = {
        "ladder": ladder.pk, "start": ladder.rules.start, "now": now, "alive": now - silence_limit(),
        "among": None if among is None else list(among),
    }  # fmt: skip
    rows = sql.query(_tickets(), parameters)
    multiplier = ladder.rules.system.multiplier
    accounts = [row[1] for row in rows]
    blocked, met = _forbidden_opponents(accounts, now), _meetings(accounts, now)
    return [
        Ticket(
            id=ticket,
            player=str(account),
            rating=rating,
            multiplier=multiplier(
                Player(rating=rating, experience=experience, games=games, peak=peak, memory=json.loads(memory))
            ),
            lengths=frozenset(lengths),
            waiting=waiting,
            blocked=blocked.get(account, frozenset()),
            met=met.get(account, {}),
        )
        for ticket, account, rating, peak, experience, games, memory, lengths, waiting in rows
    ]


def forbidden_pairs(accounts: list[int], now: datetime) -> list[tuple[int, int]]:
    """The pairs of these accounts that must not be paired now: one has blocked the other, or their last offer was not
    delivered to one of them.
    """
    parameters = {"accounts": accounts, "now": now, "longest": LONGEST_OFFER, "pause": UNDELIVERED_PAUSE}
    return [(one, two) for one, two in sql.query(_FORBIDDEN, parameters)]


def _forbidden_opponents(accounts: list[int], now: datetime) -> dict[int, frozenset[str]]:
    others: dict[int, set[str]] = defaultdict(set)
    for one, two in forbidden_pairs(accounts, now):
        others[one].add(str(two))
    return {account: frozenset(them) for account, them in others.items()}


def _meetings(accounts: list[int], now: datetime) -> dict[int, dict[str, Met]]:
    since = now - MEETING_PERIOD
    first_id = first_match_id_since(since - LONGEST_MATCH)
    parameters = {"accounts": accounts, "now": now, "since": since, "first_id": first_id}
    met: dict[int, dict[str, Met]] = defaultdict(dict)
    for one, two, seconds_ago, times in sql.query(_MEETINGS, parameters):
        for account, other in ((one, str(two)), (two, str(one))):
            earlier: Any = met[account].get(other)
            ago = min(seconds_ago, earlier.seconds_ago) if earlier else seconds_ago
            met[account][other] = Met(max(ago, 0.0), times + (earlier.times_today if earlier else 0))
    return met


def first_match_id_since(since: datetime) -> UUID:
    """The smallest id of a match that started or ended since then. It was offered at most ``LONGEST_OFFER`` earlier."""
    return first_uuid7(since - LONGEST_OFFER)
