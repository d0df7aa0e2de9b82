"""Penalties for offers that a player declines or does not answer: a time without access to the queue.

The first fault within a day is only a warning. Each further one has a longer penalty.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

STEPS = (timedelta(0), timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30))
"""The penalties of the first, second, third and later faults."""

COUNTED_FOR = timedelta(days=1)
"""How long a fault makes later penalties longer."""


class Fault(StrEnum):
    """How a player failed to accept an offer."""

    DECLINED = "declined"
    UNANSWERED = "unanswered"


def cooldown(earlier_faults: int) -> timedelta:
    """The penalty after this number of faults within :data:`COUNTED_FOR`."""
    return STEPS[min(earlier_faults, len(STEPS) - 1)]
