"""Clients with open event streams, in a thread of their own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

AT_ONCE = 32  # streams that are opened at the same time


class Listeners:
    """One connection for each request. ``received`` has the times of all events of all connections."""

    def __init__(self, port: int, requests: Sequence[bytes]) -> None:
        self.received: list[float] = []
        self._port = port
        self._requests = requests
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._readers: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    def __enter__(self) -> Listeners:
        """Open all streams. Raises ``RuntimeError`` if one is refused."""
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(120)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    async def _open(self) -> None:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(request: bytes) -> None:
            async with gate:
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                self._writers.append(writer)
                writer.write(request)
                status = await reader.readline()
                if b" 200 " not in status:
                    raise RuntimeError(status.decode())
                await reader.readuntil(b"retry: ")
            self._readers.append(asyncio.create_task(self._read(reader)))

        await asyncio.gather(*map(one, self._requests))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while line := await reader.readline():
                if line.startswith(b"event:"):
                    self.received.append(time.perf_counter())

    def _end(self) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        for writer in self._writers:
            writer.close()
        running = asyncio.all_tasks() - {asyncio.current_task()}  # reading, or still opening if one was refused
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
