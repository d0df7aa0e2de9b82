"""EventBatch events, and checking sessions, of many accounts in one statement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

from django.utils import timezone
from psycopg.types.json import Jsonb

from accounts.models import User
from common import sql
from events.limits import EVENTS_PER_READ
from events.models import EventStream
from events.points import account_fields

# One statement, so that the last number and the events are from the same moment.
_READ = """
    SELECT at.place, stream.last_number, event.number, event.kind, event.data, event.created_at, event.names
    FROM unnest(%(accounts)s::bigint[], %(afters)s::bigint[]) WITH ORDINALITY AS at (account_id, after, place)
    LEFT JOIN events_eventstream stream ON stream.account_id = at.account_id
    LEFT JOIN LATERAL (
        SELECT number, kind, data::text AS data, created_at, (
            SELECT jsonb_object_agg(given.field, named.username)
            FROM jsonb_array_elements_text(%(account_fields)s::jsonb -> e.kind) AS given (field)
            JOIN accounts_user named ON named.id = (e.data ->> given.field)::bigint
        )::text AS names
        FROM events_event e
        WHERE e.account_id = at.account_id AND e.number > at.after ORDER BY e.number LIMIT %(limit)s
    ) event ON true
    ORDER BY at.place, event.number
"""
_VALID_SESSIONS = """
    SELECT session.place
    FROM unnest(%(session_keys)s::text[], %(accounts)s::bigint[], %(password_hashes)s::text[])
         WITH ORDINALITY AS session (session_key, account_id, password_hash, place)
    JOIN django_session s ON s.session_key = session.session_key AND s.expire_date > %(now)s
    JOIN accounts_user account ON account.id = session.account_id AND account.is_active
         AND encode(sha256(convert_to(account.password, 'UTF8')), 'hex') = session.password_hash
"""


class StreamPosition(NamedTuple):
    """A client has received the events of the account up to number ``after``."""

    account_id: int
    after: int


class EventData(NamedTuple):
    """An event as the API shows it, with names instead of account ids."""

    number: int
    kind: str
    created_at: datetime
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The events after a position, at most ``EVENTS_PER_READ``. ``last`` is the number of the new position.

    ``reset``: some events after the position were deleted, or the position is larger than the last number. The client
    must then read its state again.
    """

    events: list[EventData]
    last: int
    reset: bool

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.reset)

    @property
    def is_full(self) -> bool:
        """Whether there may be more events after this batch."""
        return len(self.events) == EVENTS_PER_READ

    @property
    def number_before(self) -> int:
        """The number before the first event of this batch."""
        return self.events[0].number - 1 if self.events else self.last


class StreamSession(NamedTuple):
    """The account and session that opened a stream. ``password_hash`` is a hash of the stored password at that time."""

    account_id: int
    session_key: str
    password_hash: str

    @classmethod
    def of(cls, account: User, session_key: str) -> StreamSession:
        return cls(account.pk, session_key, sha256(account.password.encode()).hexdigest())


def read_events(positions: Sequence[StreamPosition]) -> list[EventBatch]:
    """The events after each position, in the order of the positions."""
    parameters = {
        "accounts": [at.account_id for at in positions], "afters": [at.after for at in positions],
        "limit": EVENTS_PER_READ, "account_fields": Jsonb(account_fields()),
    }  # fmt: skip
    by_place = groupby(sql.query(_READ, parameters), key=lambda row: row[0])
    return [_batch(at, list(rows)) for at, (_place, rows) in zip(positions, by_place, strict=True)]


def read_events_after(position: StreamPosition) -> EventBatch:
    return read_events([position])[0]


def _batch(at: StreamPosition, rows: list[tuple[Any, ...]]) -> EventBatch:
    events = [_event_data(*row[2:]) for row in rows if row[2] is not None]
    last = events[-1].number if events else rows[0][1] or 0
    return EventBatch(events, last, reset=last - at.after != len(events))


def _event_data(number: int, kind: str, data: str, created_at: datetime, names: str | None) -> EventData:
    return EventData(number, kind, created_at, {**json.loads(data), **json.loads(names or "{}")})


def last_number(account: User) -> int:
    """The number of the account's last event; 0 before its first."""
    return last_numbers([account.pk]).get(account.pk, 0)


def last_numbers(accounts: Iterable[int]) -> dict[int, int]:
    """The number of the last event, by account. Accounts without events are left out."""
    streams = EventStream.objects.filter(pk__in=accounts)
    return dict(streams.values_list("pk", "last_number"))


def ended_sessions(sessions: Sequence[StreamSession]) -> list[StreamSession]:
    """The sessions that are over, because they expired, the account was closed, or its password has changed."""
    parameters = {
        "session_keys": [session.session_key for session in sessions],
        "accounts": [session.account_id for session in sessions],
        "password_hashes": [session.password_hash for session in sessions],
        "now": timezone.now(),
    }
    valid = {place for (place,) in sql.query(_VALID_SESSIONS, parameters)}
    return [session for place, session in enumerate(sessions, 1) if place not in valid]
