"""All who listen in this process, and what is done for all of them at once."""

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
from events.queries import Position, Reading
from events.services import presence
from events.streams import wakeups
from events.streams.batches import Batches
from events.streams.frames import Closed
from events.streams.listener import Listener

log = logging.getLogger(__name__)

THREADS = 2
"""For the questions to the database: one may take its time without holding up the others."""
BATCH = 500

About = TypeVar("About")
Value = TypeVar("Value")


class Hub:
    """Belongs to the event loop; nothing here waits for the database in it."""

    def __init__(self) -> None:
        self._listeners: dict[int, list[Listener]] = {}  # by account, the oldest first
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="events")
        self._readings = Batches[Position, Reading](self._read, size=BATCH)
        self._sent: dict[int, int] = {}  # the last event sent, by account, until it is written down
        self._writing: asyncio.Task[None] | None = None
        self._services: list[asyncio.Task[None]] = []
        self._is_over = False

    @contextmanager
    def joined(self, listener: Listener) -> Iterator[None]:
        """The listener is woken when something happens to its account, until it has had enough."""
        if self._is_over:
            listener.end()
        elif not self._services:
            self._start()
        account = self._listeners.setdefault(listener.caller.account_id, [])
        account.append(listener)
        for oldest in account[: -settings.EVENT_STREAMS_PER_ACCOUNT]:
            oldest.end(Closed.TOO_MANY)
        try:
            yield
        finally:
            account.remove(listener)
            if not account:
                del self._listeners[listener.caller.account_id]

    async def next(self, listener: Listener, seconds: float) -> Reading | None:
        """What the listener has not heard yet, or ``None`` if there is nothing within so long, or it is over."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while await listener.woken(deadline - clock()) and not listener.is_over:
            try:
                reading = await self._readings.ask(listener.position)
            except Error:
                continue  # whoever is behind is woken again
            if not reading.is_empty:
                listener.has_read(reading)
                return reading
        return None

    def delivered(self, position: Position) -> None:
        """A client was sent all events up to there."""
        account_id, number = position
        self._sent[account_id] = max(number, self._sent.get(account_id, 0))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    def end(self) -> None:
        """Let all go at once: the process stops."""
        self._is_over = True
        for listener in self._all():
            listener.end()

    async def close(self) -> None:
        """Nothing more is asked; what was delivered is still written down."""
        self.end()
        for service in self._services:
            service.cancel()
        if self._writing is not None:
            self._writing.cancel()
        if self._sent:
            await self._write_down()
        self._threads.shutdown()

    def _all(self) -> list[Listener]:
        return [listener for account in self._listeners.values() for listener in account]

    # --- for all at once ----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        services: list[Coroutine[Any, Any, None]] = [
            wakeups.listen(self._wake),
            self._every(settings.EVENT_LOOK_SECONDS, self._look),
            self._every(settings.EVENT_CHECK_SECONDS, self._check),
        ]
        self._services = [asyncio.create_task(service) for service in services]

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            if self._listeners:
                try:
                    await work()
                except Error as error:
                    log.warning("the database cannot be asked about events: %s", error)
                except Exception:
                    log.exception("event streams go on, though this must not happen")

    def _wake(self, account_id: int) -> None:
        for listener in self._listeners.get(account_id, ()):
            listener.wake()

    async def _look(self) -> None:
        """Whoever is not where his account's events end is woken: what makes Redis dispensable."""
        last_numbers = await self._ask(events.last_numbers, list(self._listeners))
        for listener in self._all():
            if last_numbers.get(listener.caller.account_id, 0) != listener.after:
                listener.wake()

    async def _check(self) -> None:
        """All who listen are there; those whose sign-in is over do not go on listening."""
        listeners = self._all()
        signed_out = set(await self._ask(events.signed_out, list({listener.caller for listener in listeners})))
        for listener in listeners:
            if listener.caller in signed_out:
                listener.end(Closed.SIGNED_OUT)
        await self._ask(presence.seen, {each.caller.account_id for each in listeners if not each.is_over})

    # --- the database -------------------------------------------------------------------------------------------------

    async def _read(self, positions: list[Position]) -> list[Reading]:
        try:
            return await self._ask(events.read, positions)
        except Error as error:
            log.warning("events cannot be read: %s", error)
            raise

    async def _write(self) -> None:
        """Write down what was delivered, again and again until all of it is."""
        try:
            while self._sent:
                if not await self._write_down():
                    await asyncio.sleep(settings.EVENT_LOOK_SECONDS)
        finally:
            self._writing = None

    async def _write_down(self) -> bool:
        """What is not written down stays for the next time; whether all of it was."""
        sent = dict(self._sent)
        try:
            await self._ask(presence.delivered, sent)
        except Error as error:
            log.warning("what was delivered cannot be written down: %s", error)
            return False
        self._sent = dict(self._sent.items() - sent.items())  # some may have gone on meanwhile
        return True

    async def _ask(self, question: Callable[[About], Value], about: About) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _asked, question, about)


def _asked(question: Callable[[About], Value], about: About) -> Value:
    try:
        return question(about)
    finally:
        close_old_connections()  # back to the pool, where there is one
