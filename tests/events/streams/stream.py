"""A client of event streams that reads them as the HTML standard defines."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NotRequired, TypedDict
from urllib.parse import urlencode

from django.db import transaction

from accounts.models import User
from events.models import EventStream, Presence
from events.points import Kind
from events.services import writing as events
from tests import clients
from tests.factories import make_player
from tests.webserver import Server


class Numbered(TypedDict):
    n: NotRequired[int]


NUMBERED = Kind("numbered", Numbered)
"""Events of the tests, with a number."""


@dataclass(frozen=True)
class Frame:
    """One block of lines. A frame without fields is a heartbeat."""

    fields: dict[str, str]

    @property
    def name(self) -> str | None:
        return self.fields.get("event")

    @property
    def number(self) -> int:
        return int(self.fields["id"])

    @property
    def data(self) -> Any:
        return json.loads(self.fields["data"])


class Stream:
    """An open event stream. Reading raises ``TimeoutError`` if nothing comes for 10 s."""

    def __init__(
        self, server: Server, token: str | None = None, *, last_event_id: object = None, **query: object
    ) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        headers = {"Accept": "text/event-stream"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if last_event_id is not None:
            headers["Last-Event-ID"] = str(last_event_id)
        self.connection.request("GET", f"/api/v1/events?{urlencode(query)}", headers=headers)
        self.answer = self.connection.getresponse()

    @classmethod
    def opened(cls, server: Server, account: User, **options: Any) -> Stream:
        """A stream of the account whose first frame has come, so all later events will be sent."""
        stream = cls(server, clients.token_of(account), **options)
        assert stream.answer.status == 200, stream.answer.read()
        assert stream.frame().fields["retry"]
        return stream

    def frame(self) -> Frame:
        """The next frame. Raises ``EOFError`` at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self.answer.readline():
            if line == b"\n":
                return Frame(fields)
            name, _colon, value = line.decode().removesuffix("\n").partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
        raise EOFError

    def frames(self) -> Iterator[Frame]:
        """Frames with fields, until the stream ends."""
        with suppress(EOFError):
            while True:
                if (frame := self.frame()).fields:
                    yield frame

    def next(self) -> Frame:
        return next(self.frames())

    def take(self, number: int) -> list[Frame]:
        frames = self.frames()
        return [next(frames) for _ in range(number)]

    def close(self) -> None:
        if self.connection.sock:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.answer.close()
        self.connection.close()


def write(account: User, number: int = 1) -> None:
    """Write this many events for the account, each in its own transaction."""
    for n in range(number):
        with transaction.atomic():
            events.write_events(NUMBERED, {account.pk: {"n": n}})


def until(condition: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true"
        time.sleep(0.02)


def delivered(account: User) -> int:
    return EventStream.objects.get(account=account).delivered_number


def wait_for_recording(server: Server) -> None:
    """Wait until all earlier deliveries are recorded. They are recorded before the one that this makes."""
    last = make_player()
    write(last)
    stream = Stream.opened(server, last, after=0)
    stream.next()
    until(lambda: delivered(last) == 1)
    stream.close()


def wait_until_seen(account: User) -> None:
    """Wait until the server has recorded the account's presence again."""
    times: set[datetime] = set()

    def is_seen_again() -> bool:
        times.update(Presence.objects.filter(account=account).values_list("seen_at", flat=True))
        return len(times) > 2  # the second may be from before, or from the view

    until(is_seen_again)


def wait_until_removed(account: User, *, other: User) -> None:
    """Wait until the server records the presence of ``other`` but no longer that of the account."""

    def is_removed() -> bool:
        seen_at = dict(Presence.objects.values_list("account_id", "seen_at"))
        return seen_at[account.pk] < seen_at[other.pk]

    wait_until_seen(other)
    until(is_removed)
