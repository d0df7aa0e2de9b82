"""Writing events, in the transaction of what they describe.

The counters of the accounts (``EventStream``) are locked last in a transaction, by ascending account id
(docs/locking.md). After the commit, Redis notifies the open event streams. A stream that is not notified finds the
event at its next check.
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
from common.cache import default_cache
from events.limits import DELETED_PER_BATCH
from events.models import Event
from events.points import Kind

CHANNEL = "events"
"""The Redis channel of new events. A message is a list of account ids, separated by commas."""

# Parts of a WITH statement, here or inside a longer one: the new events (at most one for each account), their numbers,
# and the INSERT.
NEW_EVENTS = """
    new_event AS (
        SELECT * FROM jsonb_to_recordset(%(new_events)s::jsonb) AS new_event (account_id bigint, data jsonb)
    )
"""
NUMBER_EVENTS = """
    numbered AS (
        INSERT INTO events_eventstream (account_id, last_number, delivered_number)
        SELECT account_id, 1, 0 FROM new_event ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET last_number = events_eventstream.last_number + 1
        RETURNING account_id, last_number
    )
"""
INSERT_EVENTS = """
    INSERT INTO events_event (account_id, number, kind, data, unique_key, created_at)
    SELECT account_id, last_number, %(event_kind)s::text, data, %(event_key)s::text, %(now)s::timestamptz
    FROM numbered JOIN new_event USING (account_id)
"""
_WRITE = f"WITH {NEW_EVENTS}, {NUMBER_EVENTS} {INSERT_EVENTS} RETURNING account_id, number"

DataByAccount = Mapping[int, Mapping[str, Any]]
"""The data of the events, by account id."""


def write_events(kind: Kind, data_by_account: DataByAccount) -> dict[int, int]:
    """Write one event of this kind for each account, in the caller's transaction. Returns the numbers by account id."""
    if not data_by_account:
        return {}
    numbers = dict(sql.query(_WRITE, {**event_parameters(kind, data_by_account), "now": timezone.now()}))
    notify_streams(data_by_account)
    return numbers


def event_parameters(kind: Kind, data_by_account: DataByAccount) -> dict[str, Any]:
    """The parameters of ``NEW_EVENTS`` and ``INSERT_EVENTS`` in a statement of the caller's.

    The caller must also call :func:`notify_streams`. Raises ``ValueError`` for a field that the kind does not have.
    """
    for data in data_by_account.values():
        if unknown := data.keys() - kind.fields:
            raise ValueError(f"events of the kind {kind.code} have no field {', '.join(sorted(unknown))}")
    return {
        "event_kind": kind.code,
        "event_key": None,
        "new_events": Jsonb([{"account_id": account, "data": data} for account, data in data_by_account.items()]),
    }


def notify_streams(accounts: Iterable[int]) -> None:
    """Notify the open event streams of these accounts, after the commit."""
    if message := ",".join(map(str, accounts)):
        transaction.on_commit(partial(_publish, message))


def iso_time(time: datetime | None) -> str | None:
    """A time in the format of the API."""
    return time.isoformat().replace("+00:00", "Z") if time else None


def delete_old(batch: int = DELETED_PER_BATCH) -> int:
    """Delete events older than ``EVENT_DAYS``, each batch in its own transaction. Returns how many were deleted."""
    before = timezone.now() - timedelta(days=settings.EVENT_DAYS)
    oldest = Event.objects.filter(created_at__lt=before).order_by("created_at").values("pk")[:batch]
    count = 0
    while deleted := Event.objects.filter(pk__in=oldest).delete()[0]:
        count += deleted
    return count


def _publish(message: str) -> None:
    default_cache().publish(CHANNEL, message)
