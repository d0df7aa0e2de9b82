"""Commands on a database that was never set up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

COMMANDS = (
    ["verify_ledger"],
    ["run_decay", "--dry-run"],
    ["export_standings", "--ladder", "club"],
    ["import_matches", "none.csv", "--ladder", "club"],
    ["create_service_key", "server", "--scope", "results"],
)


@pytest.fixture(scope="module")
def empty_database(django_db_setup: None, django_db_blocker) -> Iterator[str]:
    """The address of a database without a table."""
    one = connection.settings_dict
    name = f"{one['NAME']}_empty"
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
        yield f"postgresql://{one['USER']}:{one['PASSWORD']}@{one['HOST']}:{one['PORT']}/{name}"
        cursor.execute(f'DROP DATABASE "{name}"')


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_they_say_what_to_run(command: list[str], empty_database: str) -> None:
    done = run(command, DATABASE_URL=empty_database)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "CommandError: The database is not up to date with this code. First run: python manage.py migrate"
    )


def test_with_the_embedded_database_they_do_it(empty_database: str) -> None:
    done = run(["verify_ledger"], DATABASE_URL=empty_database, EMBEDDED_DATABASE="1")
    assert (done.returncode, done.stderr.strip()) == (0, "Setting up the embedded database.")
    assert "0 standings" in done.stdout


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=Path(settings.BASE_DIR), env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip
