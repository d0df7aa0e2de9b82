"""The queue as pairing takes it: who waits, how strong he is, and whom he must not meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from ladder.models import Ladder
from ladder.rules.match_life import LIVE
from ladder.services import sql
from matchmaking.models import Block
from matchmaking.pairing.types import Met, Ticket
from matchmaking.services.tickets import silence

DAY = timedelta(days=1)

# Why an account is not paired, whatever its ticket says: closed, suspended, or in a ranked match.
UNFIT = """
    NOT u.is_active
    OR EXISTS (
        SELECT 1 FROM ladder_suspension b
        WHERE b.account_id = u.id AND b.lifted_at IS NULL AND (b.until IS NULL OR b.until > %(now)s)
    )
    OR EXISTS (
        SELECT 1 FROM ladder_match m
        WHERE m.player_one_id = u.id AND m.state = ANY(%(live)s) AND m.unrated_reason IS NULL
    )
    OR EXISTS (
        SELECT 1 FROM ladder_match m
        WHERE m.player_two_id = u.id AND m.state = ANY(%(live)s) AND m.unrated_reason IS NULL
    )
"""
_TICKETS = f"""
    SELECT t.id::text, t.account_id, coalesce(s.rating, %(start)s::numeric), coalesce(s.experience, 0),
           t.match_lengths, greatest(extract(epoch FROM %(now)s - t.waiting_since), 0)::float8
    FROM matchmaking_ticket t
    JOIN ladder_user u ON u.id = t.account_id
    LEFT JOIN ladder_standing s ON s.ladder_id = t.ladder_id AND s.player_id = t.account_id
    LEFT JOIN ladder_presence p ON p.account_id = t.account_id
    WHERE t.ladder_id = %(ladder)s AND t.state = 'waiting'
      AND greatest(t.seen_at, coalesce(p.seen_at, t.seen_at)) >= %(alive)s AND NOT ({UNFIT})
"""
# Both in the queue now, and in a ranked match with each other within a day; ids of matches grow with time.
_MEETINGS = """
    SELECT m.player_one_id, m.player_two_id,
           min(extract(epoch FROM %(now)s - coalesce(m.finished_at, %(now)s)))::float8, count(*)
    FROM unnest(%(accounts)s::bigint[]) AS waits (account_id)
    JOIN ladder_match m ON m.player_one_id = waits.account_id AND m.player_two_id = ANY(%(accounts)s)
    WHERE m.id >= %(since_id)s::uuid AND m.started_at > %(since)s AND m.origin = 'matchmaking'
    GROUP BY m.player_one_id, m.player_two_id
"""


def snapshot(ladder: Ladder) -> list[Ticket]:
    """The tickets that can be paired now, as they stand; nothing is locked."""
    now = timezone.now()
    parameters = {
        "ladder": ladder.pk, "start": ladder.rules.start, "now": now, "alive": now - silence(), "live": sorted(LIVE),
    }  # fmt: skip
    rows = sql.query(_TICKETS, parameters)
    accounts = [row[1] for row in rows]
    blocked, met = _blocks(accounts), _meetings(accounts, now)
    return [
        Ticket(
            id=ticket,
            player=str(account),
            rating=rating,
            experience=experience,
            lengths=frozenset(lengths),
            waiting=waiting,
            blocked=blocked.get(account, frozenset()),
            met=met.get(account, {}),
        )
        for ticket, account, rating, experience, lengths, waiting in rows
    ]


def _blocks(accounts: Collection[int]) -> dict[int, frozenset[str]]:
    blocked: dict[int, set[str]] = defaultdict(set)
    pairs = Block.objects.filter(account__in=accounts, blocked__in=accounts)
    for account, other in pairs.values_list("account_id", "blocked_id"):
        blocked[account].add(str(other))
    return {account: frozenset(others) for account, others in blocked.items()}


def _meetings(accounts: list[int], now: datetime) -> dict[int, dict[str, Met]]:
    since = now - DAY
    parameters = {"accounts": accounts, "now": now, "since": since, "since_id": first_id(since)}
    met: dict[int, dict[str, Met]] = defaultdict(dict)
    for one, two, seconds_ago, times in sql.query(_MEETINGS, parameters):
        for account, other in ((one, str(two)), (two, str(one))):
            earlier: Any = met[account].get(other)
            ago = min(seconds_ago, earlier.seconds_ago) if earlier else seconds_ago
            met[account][other] = Met(max(ago, 0.0), times + (earlier.times_today if earlier else 0))
    return met


def first_id(moment: datetime) -> str:
    """The smallest id that a match offered at this moment can have (UUIDv7)."""
    digits = f"{int(moment.timestamp() * 1000):012x}70008000000000000000"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:32]}"
