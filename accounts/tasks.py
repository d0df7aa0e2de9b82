"""Celery tasks, which call services. A task may run twice, late, or at the same time as another."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command


@shared_task
def delete_expired_sessions() -> None:
    """Delete expired sessions and their access tokens."""
    call_command("clearsessions")
