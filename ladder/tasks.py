"""Celery's doors into the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task

from ladder.services import decay
from ladder.services.matches import sweeps


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
