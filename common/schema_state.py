"""Whether the database has the schema that this code expects."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

_LOCK = "SELECT {}(hashtext('ladder.bootstrap'))"


def pending() -> bool:
    """Whether migrations of this code are still to be applied."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the database's setup lock. Another process waits for it. Must not be used in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK.format("pg_advisory_lock"))
        try:
            yield
        finally:
            cursor.execute(_LOCK.format("pg_advisory_unlock"))
