"""Which pairing is the best one.

1. The one that serves the most: every ticket paired counts 1, and 1 more for each ten seconds that it waited. So there
   are as many pairs as there can be, and nobody stays behind for the sake of somebody who came later
   (by ten seconds, and beyond half an hour all are equal).
2. Among those, the one with the least unfairness: the sum of the squared distances of the win probability from 50 %.
   Squared, because one match at 70 % is worse than two at 60 %.

Both are one whole number to maximise. That the most served are also the most pairs is no accident: sets of tickets
that can be paired together form a matroid, where a largest sum of positive weights has the largest number of members.
"""

from __future__ import annotations

import numpy as np

from matchmaking.pairing.types import Fractions, Numbers

SECONDS_PER_UNIT = 10
LONGEST_WAIT = 30 * 60

# Unfairness is at most 0.25 in a pair; counted in ten-millionths it never adds up to one unit of service.
UNFAIRNESS = 10_000_000
SERVICE = 10**12


def service(waiting: Fractions) -> Numbers:
    """What it counts to serve each ticket, by the seconds it waited; beyond half an hour, all are equal."""
    return 1 + (np.clip(waiting, 0, LONGEST_WAIT) // SECONDS_PER_UNIT).astype(np.int64)


def value(service_one: Numbers, service_two: Numbers, probability: Fractions) -> Numbers:
    """What each pair adds to the sum that the best pairing maximises."""
    unfairness = np.rint(UNFAIRNESS * (probability - 0.5) ** 2).astype(np.int64)
    return SERVICE * (service_one + service_two) - unfairness
