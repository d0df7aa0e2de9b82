"""What accounts have not heard yet, and who may go on listening: each for many at once, in one statement."""

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
from events.models import EventStream
from events.points import account_fields

PAGE = 100
"""How many events of one account are read at once."""

# One statement sees one moment: the count of an account's events and the events themselves are committed together.
_READ = """
    SELECT at.place, stream.last_number, event.number, event.kind, event.data, event.created_at, event.names
    FROM unnest(%(accounts)s::bigint[], %(afters)s::bigint[]) WITH ORDINALITY AS at (account_id, after, place)
    LEFT JOIN events_eventstream stream ON stream.account_id = at.account_id
    LEFT JOIN LATERAL (
        SELECT number, kind, data::text AS data, created_at, (
            SELECT jsonb_object_agg(said.field, named.username)
            FROM jsonb_array_elements_text(%(account_fields)s::jsonb -> e.kind) AS said (field)
            JOIN accounts_user named ON named.id = (e.data ->> said.field)::bigint
        )::text AS names
        FROM events_event e
        WHERE e.account_id = at.account_id AND e.number > at.after ORDER BY e.number LIMIT %(page)s
    ) event ON true
    ORDER BY at.place, event.number
"""
_SIGNED_IN = """
    SELECT caller.place
    FROM unnest(%(sessions)s::text[], %(accounts)s::bigint[], %(passwords)s::text[])
         WITH ORDINALITY AS caller (session_key, account_id, password, place)
    JOIN django_session s ON s.session_key = caller.session_key AND s.expire_date > %(now)s
    JOIN accounts_user account ON account.id = caller.account_id AND account.is_active
         AND encode(sha256(convert_to(account.password, 'UTF8')), 'hex') = caller.password
"""


class Position(NamedTuple):
    """A listener has heard all events of the account up to number ``after``."""

    account_id: int
    after: int


class Happened(NamedTuple):
    """One event as it is told."""

    number: int
    kind: str
    created_at: datetime
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What follows a position, at most ``PAGE`` events of it; ``last`` is the position after it.

    ``reset``: something after the position is not kept any more, or the position lies ahead of all there ever was. What
    the listener believes must then be read anew.
    """

    events: list[Happened]
    last: int
    reset: bool

    @property
    def is_empty(self) -> bool:
        return not (self.events or self.reset)

    @property
    def may_go_on(self) -> bool:
        """Whether there can be more than this."""
        return len(self.events) == PAGE

    @property
    def begins_after(self) -> int:
        return self.events[0].number - 1 if self.events else self.last


class Caller(NamedTuple):
    """Who listens, and by which sign-in; ``password`` is a fingerprint of what the account's password was then."""

    account_id: int
    session_key: str
    password: str

    @classmethod
    def of(cls, account: User, session_key: str) -> Caller:
        return cls(account.pk, session_key, sha256(account.password.encode()).hexdigest())


def read(positions: Sequence[Position]) -> list[Reading]:
    """What follows each position, in their order."""
    parameters = {
        "accounts": [at.account_id for at in positions], "afters": [at.after for at in positions], "page": PAGE,
        "account_fields": Jsonb(account_fields()),
    }  # fmt: skip
    by_place = groupby(sql.query(_READ, parameters), key=lambda row: row[0])
    return [_reading(at, list(rows)) for at, (_place, rows) in zip(positions, by_place, strict=True)]


def read_one(position: Position) -> Reading:
    return read([position])[0]


def _reading(at: Position, rows: list[tuple[Any, ...]]) -> Reading:
    events = [_happened(*row[2:]) for row in rows if row[2] is not None]
    last = events[-1].number if events else rows[0][1] or 0
    return Reading(events, last, reset=last - at.after != len(events))


def _happened(number: int, kind: str, data: str, created_at: datetime, names: str | None) -> Happened:
    """An event with names in place of the ids of accounts."""
    return Happened(number, kind, created_at, {**json.loads(data), **json.loads(names or "{}")})


def last_number(account: User) -> int:
    """The number of the account's last event; 0 before its first."""
    return last_numbers([account.pk]).get(account.pk, 0)


def last_numbers(accounts: Iterable[int]) -> dict[int, int]:
    """The number of the last event, of each of these accounts that has had one."""
    streams = EventStream.objects.filter(pk__in=accounts)
    return dict(streams.values_list("pk", "last_number"))


def signed_out(callers: Sequence[Caller]) -> list[Caller]:
    """Those whose session is over, whose account is closed, or whose password is another by now."""
    parameters = {
        "sessions": [caller.session_key for caller in callers],
        "accounts": [caller.account_id for caller in callers],
        "passwords": [caller.password for caller in callers],
        "now": timezone.now(),
    }
    signed_in = {place for (place,) in sql.query(_SIGNED_IN, parameters)}
    return [caller for place, caller in enumerate(callers, 1) if place not in signed_in]
