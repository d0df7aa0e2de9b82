"""The base class of management commands."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from common import schema_state
from common.errors import Refusal


class OperatorCommand(BaseCommand):
    """A command for operators. An error of a service ends it with a message and a non-zero exit code."""

    # The checks load the whole API, which doubles the start time. `make check` runs them.
    requires_system_checks = []

    needs_database = True

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            if self.needs_database:
                self._bring_up_to_date()
            return super().execute(*args, **options)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal

    def _bring_up_to_date(self) -> None:
        """Apply missing migrations to the embedded database; for another one, say what to run."""
        if not schema_state.pending():
            return
        if not settings.EMBEDDED_DATABASE:
            raise CommandError("The database is not up to date with this code. First run: python manage.py migrate")
        self.stderr.write("Setting up the embedded database.")
        with schema_state.one_at_a_time():
            call_command("migrate", interactive=False, verbosity=0)


def progress_bar(total: int, unit: str) -> tqdm[Any]:
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(total=total, unit=unit, disable=None)
