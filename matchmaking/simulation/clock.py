"""The simulated clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let the services take ``moment`` for the present; for a command, which has its process to itself."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real
