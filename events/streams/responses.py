"""The responses of an event stream and of a long poll.

With an event loop, the hub keeps them open. On a server without one, they send what is there and end. The client then
connects again; a browser's EventSource does so by itself, with the id of the last frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer

from events.queries import EventBatch, StreamPosition, StreamSession, read_events_after
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

SendResponse = Callable[[HttpResponseBase], Awaitable[None]]
"""Sends a response. It returns when the server has taken the last byte."""


class LiveResponse(ABC):
    """A response that waits for events after its view has returned."""

    @abstractmethod
    async def serve(self, hub: Hub, send_response: SendResponse) -> None:
        """Wait for events, and send the response."""


class EventStreamResponse(LiveResponse, StreamingHttpResponse):
    def __init__(self, session: StreamSession, after: int) -> None:
        self.session = session
        self.after = after
        super().__init__(self._available(), content_type=MEDIA_TYPE, headers=HEADERS)

    async def serve(self, hub: Hub, send_response: SendResponse) -> None:
        self.streaming_content = self._live(hub)
        await send_response(self)

    async def _live(self, hub: Hub) -> AsyncIterator[bytes]:
        listener = Listener(self.session, self.after)
        with hub.registered(listener):
            yield frames.start_frame(self.after)
            while not listener.is_closed:
                batch = await hub.next_batch(listener, settings.EVENT_HEARTBEAT_SECONDS)
                yield frames.event_frames(batch) if batch else frames.HEARTBEAT
                if batch:
                    hub.record_delivered(listener.position)
        if listener.close_reason:
            yield frames.closed_frame(listener.close_reason)

    def _available(self) -> Iterator[bytes]:
        yield frames.start_frame(self.after)
        position = StreamPosition(self.session.account_id, self.after)
        while not (batch := read_events_after(position)).is_empty:
            yield frames.event_frames(batch)
            position = StreamPosition(self.session.account_id, batch.last)
            _record_delivered(position)


class PollResponse(LiveResponse, HttpResponse):
    """The events that are there. If there are none, the next ones that are written within ``seconds``."""

    def __init__(self, session: StreamSession, batch: EventBatch, seconds: int) -> None:
        super().__init__(content_type=JSONRenderer.media_type, headers=HEADERS)
        self.session = session
        self.seconds = seconds
        self._set_content(batch)

    async def serve(self, hub: Hub, send_response: SendResponse) -> None:
        if self.batch.is_empty:
            listener = Listener(self.session, self.batch.last)
            with hub.registered(listener):
                self._set_content(await hub.next_batch(listener, self.seconds) or self.batch)
        await send_response(self)
        self._delivered(hub.record_delivered)

    def __iter__(self) -> Iterator[bytes]:
        """A server without an event loop reads the content this way."""
        yield from super().__iter__()
        self._delivered(_record_delivered)

    def _set_content(self, batch: EventBatch) -> None:
        self.batch = batch
        self.content = JSONRenderer().render(page_shown(batch))
        self.headers["Content-Length"] = str(len(self.content))

    def _delivered(self, record: Callable[[StreamPosition], None]) -> None:
        if not self.batch.is_empty:
            record(StreamPosition(self.session.account_id, self.batch.last))


def _record_delivered(position: StreamPosition) -> None:
    presence.record_delivered(dict([position]))
