"""The base class of management commands."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from common.errors import Refusal


class OperatorCommand(BaseCommand):
    """A command for operators. An error of a service ends it with a message and a non-zero exit code."""

    # The checks load the whole API, which doubles the start time. `make check` runs them.
    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal


def progress_bar(total: int, unit: str) -> tqdm[Any]:
    """A progress bar on standard error, if that is a terminal."""
    return tqdm(total=total, unit=unit, disable=None)
