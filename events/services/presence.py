"""Signs of life: which accounts listen, and up to which event they were sent what happened.

Both are statements of their own, outside of any other transaction. They lock by ascending account, as whoever writes
events does.
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


def seen(accounts: Iterable[int]) -> None:
    """These accounts listen right now."""
    sql.execute(_SEEN, {"accounts": sorted(set(accounts)), "now": timezone.now()})


def delivered(numbers: Mapping[int, int]) -> None:
    """The events of each account up to this number were sent to one of its clients. To be said after it is so."""
    sql.execute(_DELIVERED, {"accounts": list(numbers), "numbers": list(numbers.values())})
