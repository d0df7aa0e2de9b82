"""The answers of a stream and of a long poll.

The hub makes them live. On a server without an event loop they say what there is and end, and the client comes back:
a browser's EventSource by itself, with the id of the last frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer

from events.queries import Caller, Position, Reading, read_one
from events.resources import page_shown
from events.services import presence
from events.streams import frames
from events.streams.hub import Hub
from events.streams.listener import Listener

MEDIA_TYPE = "text/event-stream"
HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would hold events back until its buffer is full
}

HandOver = Callable[[HttpResponseBase], Awaitable[None]]
"""Gives an answer to the server; it has taken the last byte when this returns."""


class Live(ABC):
    """An answer that may wait for something to happen after its view is done."""

    @abstractmethod
    async def serve(self, hub: Hub, hand_over: HandOver) -> None:
        """Let it wait, and give it to the server."""


class EventStreamResponse(Live, StreamingHttpResponse):
    def __init__(self, caller: Caller, after: int) -> None:
        self.caller = caller
        self.after = after
        super().__init__(self._at_once(), content_type=MEDIA_TYPE, headers=HEADERS)

    async def serve(self, hub: Hub, hand_over: HandOver) -> None:
        self.streaming_content = self._live(hub)
        await hand_over(self)

    async def _live(self, hub: Hub) -> AsyncIterator[bytes]:
        listener = Listener(self.caller, self.after)
        with hub.joined(listener):
            yield frames.start(self.after)
            while not listener.is_over:
                reading = await hub.next(listener, settings.EVENT_HEARTBEAT_SECONDS)
                yield frames.told(reading) if reading else frames.HEARTBEAT
                if reading:
                    hub.delivered(listener.position)
        if listener.closed:
            yield frames.closed(listener.closed)

    def _at_once(self) -> Iterator[bytes]:
        yield frames.start(self.after)
        position = Position(self.caller.account_id, self.after)
        while not (reading := read_one(position)).is_empty:
            yield frames.told(reading)
            position = Position(self.caller.account_id, reading.last)
            _write_down(position)


class PollResponse(Live, HttpResponse):
    """What there is; if that is nothing, the first that happens within ``seconds``."""

    def __init__(self, caller: Caller, reading: Reading, seconds: int) -> None:
        super().__init__(content_type=JSONRenderer.media_type, headers=HEADERS)
        self.caller = caller
        self.seconds = seconds
        self._show(reading)

    async def serve(self, hub: Hub, hand_over: HandOver) -> None:
        if self.reading.is_empty:
            listener = Listener(self.caller, self.reading.last)
            with hub.joined(listener):
                self._show(await hub.next(listener, self.seconds) or self.reading)
        await hand_over(self)
        self._delivered(hub.delivered)

    def __iter__(self) -> Iterator[bytes]:
        """How a server without an event loop takes the content."""
        yield from super().__iter__()
        self._delivered(_write_down)

    def _show(self, reading: Reading) -> None:
        self.reading = reading
        self.content = JSONRenderer().render(page_shown(reading))
        self.headers["Content-Length"] = str(len(self.content))

    def _delivered(self, say: Callable[[Position], None]) -> None:
        """The client was sent the answer: have it said how far it has come, if there was anything in it."""
        if not self.reading.is_empty:
            say(Position(self.caller.account_id, self.reading.last))


def _write_down(position: Position) -> None:
    presence.delivered(dict([position]))
