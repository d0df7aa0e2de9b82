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


APPS = "^(common|accounts|events|ladder|matchmaking)_"
OURS = f"""
    SELECT relname FROM pg_class WHERE relname ~ '{APPS}' AND relkind IN ('r', 'i', 'S')
    UNION SELECT conname FROM pg_constraint WHERE conrelid::regclass::text ~ '{APPS}'
    UNION SELECT tgname FROM pg_trigger WHERE tgrelid::regclass::text ~ '{APPS}' AND NOT tgisinternal
"""


def ours() -> set[str]:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(OURS)
        return {name for (name,) in cursor.fetchall()}


def test_migrations_go_down_to_nothing_and_up_again(scratch: str) -> None:
    migrate()
    built = ours()
    assert {"ladder_ratingentry", "matchmaking_ticket"} <= built
    for app in ("matchmaking", "ladder", "events", "admin", "account", "mfa", "socialaccount", "accounts", "common"):
        migrate(app, "zero")
    assert ours() == set()
    migrate()
    assert ours() == built


def migrate(*target: str) -> None:
    call_command("migrate", *target, database=ALIAS, verbosity=0)


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
