"""Celery's wrappers around the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task

from common import idempotency


@shared_task
def delete_expired_idempotency_keys() -> int:
    """Delete the stored answers that nobody may ask for any more; how many there were."""
    return idempotency.delete_expired()
