"""A client that listens, as the HTML standard has browsers do it."""

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
from tests.api import clients
from tests.factories import make_player
from tests.webserver import Server


class Numbered(TypedDict):
    n: NotRequired[int]


NUMBERED = Kind("numbered", Numbered)
"""Events of the tests, told apart by a number."""


@dataclass(frozen=True)
class Frame:
    """One block of lines; a frame without a field is a sign of life."""

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
    """An open event stream. Reading from it raises ``TimeoutError`` when nothing comes for 10 s."""

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
        """For the account; the first frame has come, so whatever happens from now on is told."""
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
        """Frames with something in them, until the stream ends."""
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


def tell(account: User, number: int = 1) -> None:
    """So many events happen to the account, each in a transaction of its own."""
    for n in range(number):
        with transaction.atomic():
            events.write_events(NUMBERED, {account.pk: {"n": n}})


def until(condition: Callable[[], object], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def delivered(account: User) -> int:
    return EventStream.objects.get(account=account).delivered_number


def wait_for_the_writer(server: Server) -> None:
    """Until what was delivered so far is written down: what is delivered later is not written down before it."""
    last = make_player()
    tell(last)
    stream = Stream.opened(server, last, after=0)
    stream.next()
    until(lambda: delivered(last) == 1)
    stream.close()


def wait_until_seen(account: User) -> None:
    """Until the server has written down anew that the account listens."""
    moments: set[datetime] = set()

    def is_seen_anew() -> bool:
        moments.update(Presence.objects.filter(account=account).values_list("seen_at", flat=True))
        return len(moments) > 2  # the second may have been found out before, or be the view's, as somebody asks

    until(is_seen_anew)


def wait_until_left(account: User, *, beside: User) -> None:
    """Until the server does not count the account among those who listen any more, as it does ``beside``."""

    def is_away() -> bool:
        seen_at = dict(Presence.objects.values_list("account_id", "seen_at"))
        return seen_at[account.pk] < seen_at[beside.pk]

    wait_until_seen(beside)
    until(is_away)
