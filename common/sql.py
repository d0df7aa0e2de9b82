"""SQL statements that are written by hand, to save round trips to the database.

They use psycopg's own cursor, on Django's connection and in its transaction. So they are prepared statements, whose
plans the server keeps; Django's cursor sends a new text with the values in it each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from django.db import connection
from django.db.models import AutoField, Model

Parameters = Sequence[Any] | Mapping[str, Any]


def query(statement: str, parameters: Parameters) -> list[tuple[Any, ...]]:
    """Run a prepared statement in the current transaction. Returns its rows."""
    with _run(statement, parameters) as cursor:
        return cursor.fetchall()


def execute(statement: str, parameters: Parameters) -> int:
    """Run a prepared statement in the current transaction. Returns how many rows it wrote or found."""
    with _run(statement, parameters) as cursor:
        return cursor.rowcount


def _run(statement: str, parameters: Parameters) -> psycopg.Cursor[tuple[Any, ...]]:
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return psycopg.Cursor(connection.connection).execute(statement, parameters, prepare=True)


def copy_in(rows: Sequence[Model]) -> None:
    """Insert rows of one table with COPY, which is several times faster than INSERT. Automatic ids are not set."""
    if not rows:
        return
    table = rows[0]._meta
    fields = [field for field in table.concrete_fields if not isinstance(field, AutoField)]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    names = [field.attname for field in fields]
    statement = f"COPY {table.db_table} ({columns}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([getattr(row, name) for name in names])
