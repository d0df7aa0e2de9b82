"""Joins many small requests into one. Requests that come while a batch runs go into the next batch."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Request = TypeVar("Request")
Result = TypeVar("Result")


class Batches(Generic[Request, Result]):
    """``work`` takes a list of at most ``size`` requests and returns the results in the same order."""

    def __init__(self, work: Callable[[list[Request]], Awaitable[Sequence[Result]]], *, size: int) -> None:
        self._work = work
        self._size = size
        self._waiting: list[tuple[Request, asyncio.Future[Result]]] = []
        self._running: asyncio.Task[None] | None = None

    async def submit(self, request: Request) -> Result:
        """The result for this request. Raises the exception of the batch, if there was one."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
                await self._run_batch(batch)
        finally:
            self._running = None

    async def _run_batch(self, batch: list[tuple[Request, asyncio.Future[Result]]]) -> None:
        # A future that is done was cancelled by its caller.
        try:
            results = await self._work([request for request, _future in batch])
        except Exception as error:
            for _request, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_request, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)
