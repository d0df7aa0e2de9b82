"""How long a player stays out of the queue who lets others wait for nothing.

The first offer that a player declines or leaves unanswered costs nothing: everybody is called to the door once. Each
further one within a day costs more.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

STEPS = (timedelta(0), timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30))
FORGOTTEN_AFTER = timedelta(days=1)


class Fault(StrEnum):
    """What a player did to an offer."""

    DECLINED = "declined"
    UNANSWERED = "unanswered"


def cooldown(earlier_faults: int) -> timedelta:
    """How long to stay out, after so many faults within the last :data:`FORGOTTEN_AFTER`."""
    return STEPS[min(earlier_faults, len(STEPS) - 1)]
