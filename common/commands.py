"""What the commands share."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from common.errors import Refusal


class OperatorCommand(BaseCommand):
    """A door for operators: what a service refuses ends the command with its reason and a non-zero exit code."""

    # They load the whole API, and `make check` runs them: a command starts twice as fast without.
    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal


def progress_bar(total: int, unit: str) -> tqdm[Any]:
    """A progress bar on standard error, where that is a terminal; silent elsewhere."""
    return tqdm(total=total, unit=unit, disable=None)
