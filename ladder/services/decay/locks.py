"""The lock that keeps a second worker from running decay on the same ladder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from common.errors import Conflict
from common.transactions import LockTaken, advisory_lock
from ladder.models import Ladder

LOCK_CLASS = 0x6465_6361
"""The first half of the advisory lock's key. The second half is the ladder's id."""


class DecayRunning(Conflict):
    """Another worker is running decay on this ladder."""


@contextmanager
def decay_lock(ladder: Ladder) -> Iterator[None]:
    """Hold the lock. Raises ``DecayRunning`` if another worker holds it."""
    try:
        with advisory_lock(LOCK_CLASS, ladder.pk):
            yield
    except LockTaken as taken:
        raise DecayRunning("decay_is_running", "Another worker is running decay on this ladder.") from taken
