"""Recording which accounts have an open event stream, and which events were delivered to them.

Each function is one statement in a transaction of its own. It locks rows by ascending account id, like every
transaction that writes events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils import timezone

from common import sql

_SEEN = """
    INSERT INTO events_presence (account_id, seen_at)
    SELECT account_id, %(now)s FROM unnest(%(accounts)s::bigint[]) AS listed (account_id) ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET seen_at = greatest(events_presence.seen_at, excluded.seen_at)
"""
_DELIVERED = """
    WITH sent AS (
        SELECT * FROM unnest(%(accounts)s::bigint[], %(numbers)s::bigint[]) AS sent (account_id, number)
    ), behind AS MATERIALIZED (
        SELECT stream.account_id, sent.number
        FROM events_eventstream stream JOIN sent USING (account_id)
        WHERE stream.delivered_number < sent.number
        ORDER BY stream.account_id FOR NO KEY UPDATE OF stream
    )
    UPDATE events_eventstream stream SET delivered_number = behind.number
    FROM behind WHERE behind.account_id = stream.account_id
"""


def record_seen(accounts: Iterable[int]) -> None:
    """Record that these accounts have an open event stream now."""
    sql.execute(_SEEN, {"accounts": sorted(set(accounts)), "now": timezone.now()})


def record_delivered(numbers: Mapping[int, int]) -> None:
    """Record the number up to which events were delivered, by account. Call it after they were sent."""
    sql.execute(_DELIVERED, {"accounts": list(numbers), "numbers": list(numbers.values())})
