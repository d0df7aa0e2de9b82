"""Many small questions at once become one: what is asked while a batch is under way goes into the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Batches(Generic[Question, Answer]):
    """``work`` answers a list of at most ``size`` questions, in their order."""

    def __init__(self, work: Callable[[list[Question]], Awaitable[Sequence[Answer]]], *, size: int) -> None:
        self._work = work
        self._size = size
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._running: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """Raises whatever ``work`` raised for the batch."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
                await self._answer(batch)
        finally:
            self._running = None

    async def _answer(self, batch: list[tuple[Question, asyncio.Future[Answer]]]) -> None:
        # Whoever does not wait any more has cancelled his future.
        try:
            answers = await self._work([question for question, _future in batch])
        except Exception as error:
            for _question, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_question, future), answer in zip(batch, answers, strict=True):
            if not future.done():
                future.set_result(answer)
