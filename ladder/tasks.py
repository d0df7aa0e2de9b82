"""The Celery tasks. Each can run late, twice, or twice at the same time."""

from __future__ import annotations

from celery import shared_task

from ladder.services import decay
from ladder.services.matches import sweeps


@shared_task
def confirm_overdue_matches() -> int:
    """Confirm the reported results whose time to confirm is over."""
    return sweeps.confirm_overdue_matches()


@shared_task
def expire_matches() -> int:
    """Cancel the offers and void the matches that have expired."""
    return sweeps.expire_matches()


@shared_task
def bring_decay_up_to_date() -> int:
    """Run the days of decay that are due, on all ladders. Returns their number."""
    return decay.bring_all_up_to_date()
