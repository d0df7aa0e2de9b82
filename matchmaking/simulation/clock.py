"""The simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Replace the present time with ``moment``, for a command that has a process of its own."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real
