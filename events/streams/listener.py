"""One open event stream or long poll."""

from __future__ import annotations

import asyncio

from events.queries import EventBatch, StreamPosition, StreamSession
from events.streams.frames import CloseReason


class Listener:
    """Holds the session, the position, and whether there may be new events after it."""

    __slots__ = ("_may_have_events", "after", "close_reason", "is_closed", "session")

    def __init__(self, session: StreamSession, after: int) -> None:
        self.session = session
        self.after = after
        self.is_closed = False
        self.close_reason: CloseReason | None = None
        self._may_have_events = asyncio.Event()
        self._may_have_events.set()  # events may have been written since the view read the position

    @property
    def position(self) -> StreamPosition:
        return StreamPosition(self.session.account_id, self.after)

    def notify(self) -> None:
        """There may be new events."""
        self._may_have_events.set()

    def close(self, reason: CloseReason | None = None) -> None:
        """End it at once. Without a reason, the client may connect again."""
        self.is_closed = True
        self.close_reason = self.close_reason or reason
        self._may_have_events.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until there may be new events. False when the time is over."""
        try:
            async with asyncio.timeout(seconds):
                await self._may_have_events.wait()
        except TimeoutError:
            return False
        self._may_have_events.clear()
        return True

    def advance(self, batch: EventBatch) -> None:
        """Move the position behind the batch."""
        self.after = batch.last
        if batch.is_full:
            self._may_have_events.set()
