"""The schema can be built, taken down and built again, and is what the models say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection, connections

ALIAS = "scratch"


@pytest.fixture
def scratch(django_db_setup: None, django_db_blocker) -> Iterator[str]:
    """The alias of an empty database."""
    name = f"{connection.settings_dict['NAME']}_scratch"
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}"')
        connections.databases[ALIAS] = {**connections.databases["default"], "NAME": name}
        try:
            yield ALIAS
        finally:
            connections[ALIAS].close()
            del connections[ALIAS], connections.databases[ALIAS]
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{name}"')


OURS = """
    SELECT relname FROM pg_class WHERE relname LIKE 'ladder%' AND relkind IN ('r', 'i', 'S')
    UNION SELECT conname FROM pg_constraint WHERE conrelid::regclass::text LIKE 'ladder%'
    UNION SELECT tgname FROM pg_trigger WHERE tgrelid::regclass::text LIKE 'ladder%' AND NOT tgisinternal
"""


def ours() -> set[str]:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(OURS)
        return {name for (name,) in cursor.fetchall()}


def test_migrations_go_down_to_nothing_and_up_again(scratch: str) -> None:
    call_command("migrate", "ladder", database=scratch, verbosity=0)
    built = ours()
    assert "ladder_ratingentry" in built
    call_command("migrate", "ladder", "zero", database=scratch, verbosity=0)
    assert ours() == set()
    call_command("migrate", "ladder", database=scratch, verbosity=0)
    assert ours() == built


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
