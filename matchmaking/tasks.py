"""Celery tasks, which call services. A task may run twice, late, or at the same time as another."""

from __future__ import annotations

from celery import shared_task

from matchmaking.services import tickets, waves


@shared_task
def pair_waiting() -> int:
    """Pair the tickets of all ladders. Returns how many offers were created."""
    return waves.pair_all_ladders()


@shared_task
def remove_silent_tickets() -> int:
    """Close waiting tickets without a recent heartbeat. Returns how many were closed."""
    return tickets.remove_silent()
