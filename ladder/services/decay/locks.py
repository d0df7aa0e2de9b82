"""One worker at a time at a ladder's decay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from common.errors import Conflict
from common.transactions import LockTaken, advisory_lock
from ladder.models import Ladder

# The first half of the advisory locks' keys; the second is the ladder.
LOCK_CLASS = 0x6465_6361


class Busy(Conflict):
    """Another worker is at this ladder's decay."""


@contextmanager
def alone(ladder: Ladder) -> Iterator[None]:
    """Keep other workers out. Raises ``Busy``."""
    try:
        with advisory_lock(LOCK_CLASS, ladder.pk):
            yield
    except LockTaken as busy:
        raise Busy("decay_is_running", "Another worker is at this ladder's decay.") from busy
