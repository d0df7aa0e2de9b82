"""Celery's wrappers around the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task

from events.services import writing


@shared_task
def delete_old_events() -> int:
    """Delete the events that nobody asks for any more; how many there were."""
    return writing.delete_old()
