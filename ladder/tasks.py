"""Celery's doors into the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task
from django.core.management import call_command

from ladder.services import decay, events, idempotency, sweeps


@shared_task
def confirm_overdue_matches() -> int:
    """Confirm, on the report that stands, the matches whose time to confirm has passed."""
    return sweeps.confirm_overdue_matches()


@shared_task
def expire_matches() -> int:
    """Cancel the offers and void the matches whose time is over."""
    return sweeps.expire_matches()


@shared_task
def bring_decay_up_to_date() -> int:
    """Work off the days of decay that are due, on every ladder; how many days that were."""
    return decay.bring_all_up_to_date()


@shared_task
def forget_sessions() -> None:
    """Delete the sessions, and with them the access tokens, that have expired."""
    call_command("clearsessions")


@shared_task
def forget_idempotency_keys() -> int:
    """Delete the stored answers that nobody may ask for any more."""
    return idempotency.forget_expired()


@shared_task
def forget_old_events() -> int:
    """Delete the events that nobody asks for any more."""
    return events.forget_old()
