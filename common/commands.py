"""What the commands share."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from common import schema_state
from common.errors import Refusal


class OperatorCommand(BaseCommand):
    """A door for operators: what a service refuses ends the command with its reason and a non-zero exit code."""

    # They load the whole API, and `make check` runs them: a command starts twice as fast without.
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
    """A progress bar on standard error, where that is a terminal; silent elsewhere."""
    return tqdm(total=total, unit=unit, disable=None)
