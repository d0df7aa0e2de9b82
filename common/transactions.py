"""Transactions and locks of a special kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection, transaction

from common.errors import Conflict

T = TypeVar("T")


def dry_run(action: Callable[[], T]) -> T:
    """Run the action in a transaction, roll it back, and return its result. Its exceptions are passed on.

    A preview made this way cannot differ from the real action.
    """
    with transaction.atomic():
        result = action()
        transaction.set_rollback(True)
    return result


@contextmanager
def snapshot() -> Iterator[None]:
    """A read-only transaction in which all queries see the database at the same moment.

    Inside another transaction, this does nothing.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


class LockTaken(Conflict):
    """Another worker holds the lock."""


@contextmanager
def advisory_lock(work: int, row: int) -> Iterator[None]:
    """Hold an advisory lock for a kind of ``work`` (a number) on a ``row`` (an id). Raises ``LockTaken``, never waits.

    The lock belongs to the connection and ends with it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [work, row])
        if cursor.fetchone() != (True,):
            raise LockTaken("another_worker", "Another worker is doing this.")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [work, row])
