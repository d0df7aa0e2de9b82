"""Which pairing is the best.

1. The one with the greatest service: each paired ticket counts 1, and 1 more for each ten seconds of waiting, up to
half an hour. So there are as many pairs as possible, and earlier tickets come before later ones. 2. Among those, the
one with the least unfairness: the sum of the squared distances of the win probability from 50 %. Squared, because one
match at 70 % is worse than two at 60 %.

Both are put into one whole number, which is maximised. The greatest service always gives the largest number of pairs:
the sets of tickets that can be paired form a matroid, in which a set of maximum weight is also one of maximum size.
"""

from __future__ import annotations

import numpy as np

from matchmaking.pairing.types import Fractions, Numbers

SECONDS_PER_UNIT = 10
LONGEST_WAIT = 30 * 60

# The unfairness of a pair is at most 0.25. In ten-millionths, the sum of all pairs is less than one unit of service.
UNFAIRNESS = 10_000_000
SERVICE = 10**12


def service(waiting: Fractions) -> Numbers:
    """The service of pairing each ticket, by its seconds of waiting."""
    return 1 + (np.clip(waiting, 0, LONGEST_WAIT) // SECONDS_PER_UNIT).astype(np.int64)


def value(service_one: Numbers, service_two: Numbers, probability: Fractions) -> Numbers:
    """The value of each pair. The best pairing has the greatest sum of values."""
    unfairness = np.rint(UNFAIRNESS * (probability - 0.5) ** 2).astype(np.int64)
    return SERVICE * (service_one + service_two) - unfairness
