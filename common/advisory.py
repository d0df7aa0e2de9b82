"""One worker at a time at a kind of work on one row, by an advisory lock that is tried and never waited for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from common.errors import Conflict


class Busy(Conflict):
    """Another worker is at it."""


@contextmanager
def alone(work: int, row: int) -> Iterator[None]:
    """Keep others from the same ``work`` (a number) on the same ``row`` (an id). Raises ``Busy``.

    The lock goes with the connection, however that ends.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [work, row])
        if cursor.fetchone() != (True,):
            raise Busy("another_worker", "Another worker is at it.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [work, row])
