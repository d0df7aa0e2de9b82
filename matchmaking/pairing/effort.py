"""How many candidates are searched. In a longer queue, the search must be faster, and neighbours are closer."""

from __future__ import annotations

from typing import NamedTuple

# With up to this many tickets, all pairs are candidates, and the result is the best pairing.
SHORT = 128


class SearchEffort(NamedTuple):
    """The number of nearest tickets for each ticket and length, the size of a block, and the number of passes."""

    nearest: int
    block: int
    passes: int


def effort_for(tickets: int) -> SearchEffort:
    """The effort for a queue with this number of tickets."""
    if tickets <= SHORT:
        return SearchEffort(nearest=SHORT, block=SHORT, passes=1)
    if tickets <= 2_000:
        return SearchEffort(nearest=6, block=128, passes=2)
    if tickets <= 6_000:
        return SearchEffort(nearest=4, block=64, passes=2)
    return SearchEffort(nearest=3, block=48, passes=1)
