"""One worker at a time at a ladder's decay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from common import advisory
from common.errors import Conflict
from ladder.models import Ladder

# The first half of the advisory locks' keys; the second is the ladder.
LOCK_CLASS = 0x6465_6361


class Busy(Conflict):
    """Another worker is at this ladder's decay."""


@contextmanager
def alone(ladder: Ladder) -> Iterator[None]:
    """Keep other workers out. Raises ``Busy``."""
    try:
        with advisory.alone(LOCK_CLASS, ladder.pk):
            yield
    except advisory.Busy as busy:
        raise Busy("decay_is_running", "Another worker is at this ladder's decay.") from busy
