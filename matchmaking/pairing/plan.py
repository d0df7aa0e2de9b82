"""How thoroughly a queue is searched. The longer it is, the less time there is, and the less is to be gained."""

from __future__ import annotations

from typing import NamedTuple

# Up to this many tickets, every pair is looked at and the pairing found is the best there is.
SHORT = 128


class Plan(NamedTuple):
    """How many nearest tickets each one gets per length; the size of a block; how often the queue is cut."""

    nearest: int
    block: int
    passes: int


def plan_for(tickets: int) -> Plan:
    """The plan for a queue of so many tickets."""
    if tickets <= SHORT:
        return Plan(nearest=SHORT, block=SHORT, passes=1)
    if tickets <= 2_000:
        return Plan(nearest=6, block=128, passes=2)
    if tickets <= 6_000:
        return Plan(nearest=4, block=64, passes=2)
    return Plan(nearest=3, block=48, passes=1)
