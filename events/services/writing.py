"""Events: the one way in which accounts hear of things, in the transaction of what happened.

The rows that count an account's events are locked by ascending account, after everything else a transaction locks
(docs/locking.md). Redis only wakes those who listen; whoever is not woken finds the event at his next look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from common import sql
from common.cache import the_cache
from events.models import Event
from events.points import Kind

WAKE = "events"
"""The channel on which listeners are woken; a message is the ids of accounts, with commas between them."""
BATCH = 10_000  # events forgotten in one transaction

# To be put together, or into a longer statement: what each account hears (at most one thing), the count of its
# events, and the events.
TOLD = """
    told AS (
        SELECT * FROM jsonb_to_recordset(%(told)s::jsonb) AS told (account_id bigint, data jsonb)
    )
"""
COUNTED = """
    counted AS (
        INSERT INTO events_eventstream (account_id, last_number, delivered_number)
        SELECT account_id, 1, 0 FROM told ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET last_number = events_eventstream.last_number + 1
        RETURNING account_id, last_number
    )
"""
WRITE = """
    INSERT INTO events_event (account_id, number, kind, data, once, created_at)
    SELECT account_id, last_number, %(told_kind)s::text, data, %(told_once)s::text, %(now)s::timestamptz
    FROM counted JOIN told USING (account_id)
"""
_TELL = f"WITH {TOLD}, {COUNTED} {WRITE} RETURNING account_id, number"

Told = Mapping[int, Mapping[str, Any]]
"""What each account hears, by its id."""


def tell(kind: Kind, told: Told) -> dict[int, int]:
    """Write one event of this kind to each account, in the caller's transaction; the events' numbers by account."""
    numbers = dict(sql.query(_TELL, {**parameters(kind, told), "now": timezone.now()})) if told else {}
    wake(told)
    return numbers


def parameters(kind: Kind, told: Told) -> dict[str, Any]:
    """For a statement that holds ``TOLD``, ``COUNTED`` and ``WRITE``; its author must :func:`wake` the listeners.

    Raises ``ValueError`` for a field that events of this kind do not have.
    """
    for data in told.values():
        if unknown := data.keys() - kind.fields:
            raise ValueError(f"an event of the kind {kind.code} does not say {', '.join(sorted(unknown))}")
    return {
        "told_kind": kind.code,
        "told_once": None,
        "told": Jsonb([{"account_id": account, "data": data} for account, data in told.items()]),
    }


def wake(accounts: Iterable[int]) -> None:
    """Wake whoever listens for these accounts, once the transaction is committed."""
    message = ",".join(map(str, accounts))
    if message:
        transaction.on_commit(partial(_publish, message))


def moment(time: datetime | None) -> str | None:
    """A time as the API writes it."""
    return time.isoformat().replace("+00:00", "Z") if time else None


def delete_old(batch: int = BATCH) -> int:
    """Delete the events that are so old that nobody asks for them any more; how many there were.

    Each batch is a transaction of its own.
    """
    before = timezone.now() - timedelta(days=settings.EVENT_DAYS)
    oldest = Event.objects.filter(created_at__lt=before).order_by("created_at").values("pk")[:batch]
    count = 0
    while deleted := Event.objects.filter(pk__in=oldest).delete()[0]:
        count += deleted
    return count


def _publish(message: str) -> None:
    the_cache().publish(WAKE, message)
