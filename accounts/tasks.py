"""Celery's wrappers around the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command


@shared_task
def delete_expired_sessions() -> None:
    """Delete the sessions, and with them the access tokens, that have expired."""
    call_command("clearsessions")
