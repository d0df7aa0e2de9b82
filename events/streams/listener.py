"""One who listens to an account's events."""

from __future__ import annotations

import asyncio

from events.queries import Caller, Position, Reading
from events.streams.frames import Closed


class Listener:
    """A stream or a long poll that is open: who it is, how far it has come, and whether it should look again."""

    __slots__ = ("_woken", "after", "caller", "closed", "is_over")

    def __init__(self, caller: Caller, after: int) -> None:
        self.caller = caller
        self.after = after
        self.is_over = False
        self.closed: Closed | None = None
        self._woken = asyncio.Event()
        self._woken.set()  # something may have happened since the position was taken

    @property
    def position(self) -> Position:
        return Position(self.caller.account_id, self.after)

    def wake(self) -> None:
        self._woken.set()

    def end(self, reason: Closed | None = None) -> None:
        """Have it end at once; without a reason the client is welcome to come back."""
        self.is_over = True
        self.closed = self.closed or reason
        self._woken.set()

    async def woken(self, seconds: float) -> bool:
        """Wait until there may be something new, at most so long; whether it was so."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

    def has_read(self, reading: Reading) -> None:
        self.after = reading.last
        if reading.may_go_on:
            self._woken.set()
