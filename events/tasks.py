"""Celery tasks, which call services. A task may run twice, late, or at the same time as another."""

from __future__ import annotations

from celery import shared_task

from events.services import writing


@shared_task
def delete_old_events() -> int:
    """Delete events older than ``EVENT_DAYS``. Returns how many were deleted."""
    return writing.delete_old()
