"""One worker at a time at a kind of work on a ladder, by an advisory lock that is tried and never waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from ladder.models import Ladder
from ladder.services.errors import Conflict


class Busy(Conflict):
    """Another worker is at it."""


@contextmanager
def alone(work: int, ladder: Ladder) -> Iterator[None]:
    """Keep others from the same ``work`` (a number) on the ladder. Raises ``Busy``.

    The lock goes with the connection, however that ends.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [work, ladder.pk])
        if cursor.fetchone() != (True,):
            raise Busy("another_worker", "Another worker is at it.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [work, ladder.pk])
