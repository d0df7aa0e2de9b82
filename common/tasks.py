"""Celery tasks, which call services. A task may run twice, late, or at the same time as another."""

from __future__ import annotations

from celery import shared_task

from common import idempotency


@shared_task
def delete_expired_idempotency_keys() -> int:
    """Delete answers older than ``IDEMPOTENCY_KEY_HOURS``. Returns how many were deleted."""
    return idempotency.delete_expired()
