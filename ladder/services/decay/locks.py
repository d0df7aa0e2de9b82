"""The lock that keeps a second worker from running decay on the same ladder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from common import advisory
from common.errors import Conflict
from ladder.models import Ladder

LOCK_CLASS = 0x6465_6361
"""The first half of the advisory lock's key. The second half is the ladder's id."""


class DecayRunning(Conflict):
    """Another worker is running decay on this ladder."""


@contextmanager
def decay_lock(ladder: Ladder) -> Iterator[None]:
    """Hold the lock. Raises ``DecayRunning`` if another worker holds it."""
    try:
        with advisory.alone(LOCK_CLASS, ladder.pk):
            yield
    except advisory.Busy as busy:
        raise DecayRunning("decay_is_running", "Another worker is running decay on this ladder.") from busy
