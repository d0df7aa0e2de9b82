"""Celery's doors into the services. Each task may run twice, late, or beside itself: the services see to it."""

from __future__ import annotations

from celery import shared_task

from matchmaking.services import tickets, waves


@shared_task
def pair_waiting() -> int:
    """A wave on each ladder where somebody waits; how many offers were made."""
    return waves.pair_everywhere()


@shared_task
def remove_silent_tickets() -> int:
    """Close the tickets of players who gave no sign of life for too long; how many there were."""
    return tickets.remove_silent()
