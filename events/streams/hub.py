"""All open event streams and long polls of this process, and the work that is done for all of them together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.db import Error, close_old_connections

from events import queries as events
from events.limits import DATABASE_THREADS, STREAMS_PER_READ
from events.queries import EventBatch, StreamPosition
from events.services import presence
from events.streams import pubsub
from events.streams.batches import Batches
from events.streams.frames import CloseReason
from events.streams.listener import Listener

log = logging.getLogger(__name__)

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class Hub:
    """Runs in the event loop. All database work runs in threads, so the loop never waits for it."""

    def __init__(self) -> None:
        self._listeners: dict[int, list[Listener]] = {}  # by account id, the oldest first
        self._threads = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="events")
        self._reads = Batches[StreamPosition, EventBatch](self._read, size=STREAMS_PER_READ)
        self._delivered: dict[int, int] = {}  # numbers by account id that are not recorded yet
        self._recording: asyncio.Task[None] | None = None
        self._background: list[asyncio.Task[None]] = []
        self._is_stopped = False

    @contextmanager
    def registered(self, listener: Listener) -> Iterator[None]:
        """Notify the listener about new events of its account while the context is open."""
        if self._is_stopped:
            listener.close()
        elif not self._background:
            self._start()
        same_account = self._listeners.setdefault(listener.session.account_id, [])
        same_account.append(listener)
        for oldest in same_account[: -settings.EVENT_STREAMS_PER_ACCOUNT]:
            oldest.close(CloseReason.TOO_MANY)
        try:
            yield
        finally:
            same_account.remove(listener)
            if not same_account:
                del self._listeners[listener.session.account_id]

    async def next_batch(self, listener: Listener, seconds: float) -> EventBatch | None:
        """Wait for the next events of the listener. ``None`` when the time is over or the listener was closed."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while await listener.wait(deadline - clock()) and not listener.is_closed:
            try:
                batch = await self._reads.submit(listener.position)
            except Error:
                continue  # the next check notifies the listener again
            if not batch.is_empty:
                listener.advance(batch)
                return batch
        return None

    def record_delivered(self, position: StreamPosition) -> None:
        """Record, in the background, that the events up to this position were delivered."""
        account_id, number = position
        self._delivered[account_id] = max(number, self._delivered.get(account_id, 0))
        if self._recording is None:
            self._recording = asyncio.create_task(self._record_all())

    def stop(self) -> None:
        """Close all listeners, because the process stops."""
        self._is_stopped = True
        for listener in self._all():
            listener.close()

    async def close(self) -> None:
        """Stop the background work, and record what was delivered."""
        self.stop()
        for task in self._background:
            task.cancel()
        if self._recording is not None:
            self._recording.cancel()
        if self._delivered:
            await self._record()
        self._threads.shutdown()

    def _all(self) -> list[Listener]:
        return [listener for same_account in self._listeners.values() for listener in same_account]

    # --- background work ----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        work: list[Coroutine[Any, Any, None]] = [
            pubsub.subscribe(self._notify),
            self._repeat(settings.EVENT_LOOK_SECONDS, self._check_numbers),
            self._repeat(settings.EVENT_CHECK_SECONDS, self._check_sessions),
        ]
        self._background = [asyncio.create_task(each) for each in work]

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            if self._listeners:
                try:
                    await work()
                except Error as error:
                    log.warning("the database cannot be reached for event streams: %s", error)
                except Exception:
                    log.exception("unexpected error; event streams continue")

    def _notify(self, account_id: int) -> None:
        for listener in self._listeners.get(account_id, ()):
            listener.notify()

    async def _check_numbers(self) -> None:
        """Notify the listeners that are not at the last number of their account. So streams work without Redis."""
        last_numbers = await self._in_thread(events.last_numbers, list(self._listeners))
        for listener in self._all():
            if last_numbers.get(listener.session.account_id, 0) != listener.after:
                listener.notify()

    async def _check_sessions(self) -> None:
        """Close the listeners whose session is over, and record that the accounts of the others are present."""
        listeners = self._all()
        ended = set(await self._in_thread(events.ended_sessions, list({each.session for each in listeners})))
        for listener in listeners:
            if listener.session in ended:
                listener.close(CloseReason.SIGNED_OUT)
        present = {each.session.account_id for each in listeners if not each.is_closed}
        await self._in_thread(presence.record_seen, present)

    # --- the database -------------------------------------------------------------------------------------------------

    async def _read(self, positions: list[StreamPosition]) -> list[EventBatch]:
        try:
            return await self._in_thread(events.read_events, positions)
        except Error as error:
            log.warning("events cannot be read: %s", error)
            raise

    async def _record_all(self) -> None:
        """Record what was delivered, and repeat until all is recorded."""
        try:
            while self._delivered:
                if not await self._record():
                    await asyncio.sleep(settings.EVENT_LOOK_SECONDS)
        finally:
            self._recording = None

    async def _record(self) -> bool:
        """Record what was delivered. False if the database failed: then it is kept for the next attempt."""
        delivered = dict(self._delivered)
        try:
            await self._in_thread(presence.record_delivered, delivered)
        except Error as error:
            log.warning("delivered events cannot be recorded: %s", error)
            return False
        self._delivered = dict(self._delivered.items() - delivered.items())  # later numbers are kept
        return True

    async def _in_thread(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _run, function, argument)


def _run(function: Callable[[Argument], Result], argument: Argument) -> Result:
    try:
        return function(argument)
    finally:
        close_old_connections()  # returns the connection to the pool, if there is one
