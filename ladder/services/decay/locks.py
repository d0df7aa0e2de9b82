"""One worker at a time at a ladder's decay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from ladder.models import Ladder
from ladder.services.errors import Conflict

# The first half of the advisory locks' keys; the second is the ladder.
LOCK_CLASS = 0x6465_6361


class Busy(Conflict):
    """Another worker is at this ladder's decay."""


@contextmanager
def alone(ladder: Ladder) -> Iterator[None]:
    """Keep other workers out; the lock goes with the connection, however that ends. Raises ``Busy``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_CLASS, ladder.pk])
        if cursor.fetchone() != (True,):
            raise Busy("decay_is_running", "Another worker is at this ladder's decay.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_CLASS, ladder.pk])
