"""The match length of two players: the longest one that both accept and that is in both windows.

In a longer match, the stronger player is more likely to win, so the same window allows a smaller difference in rating.
Players of unequal strength get a short match, if they accept one.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

import numpy as np

from matchmaking.pairing.types import Fractions, Numbers, System

# The largest difference in rating that is searched, in hundredths of a point.
WIDEST_GAP = 1_000_000

# The win probability is interpolated between so many points. The error is below 0.000001.
_CURVE_POINTS = 200


# Cached, because every wave has the same lengths and windows.
@lru_cache(maxsize=10_000)
def reach(system: System, match_length: int, window: int) -> int:
    """The largest difference in rating, in hundredths of a point, that ``window`` allows at ``match_length``."""
    admitted, refused = 0, WIDEST_GAP + 1
    while refused - admitted > 1:
        gap = (admitted + refused) // 2
        if admits(system, gap, match_length, window):
            admitted = gap
        else:
            refused = gap
    return admitted


@lru_cache(maxsize=1_000)
def curve(system: System, match_length: int, widest: int) -> tuple[Fractions, Fractions]:
    """Differences in rating up to ``widest``, in hundredths of a point, and the stronger player's win probabilities."""
    gaps = np.unique(np.linspace(0, max(widest, 1), _CURVE_POINTS).astype(np.int64))
    chances = np.array([probability(system, gap, match_length) for gap in gaps.tolist()], dtype=np.float64)
    points = gaps.astype(np.float64)
    for shared in (points, chances):
        shared.setflags(write=False)
    return points, chances


def admits(system: System, gap: int, match_length: int, window: int) -> bool:
    """Whether ``window`` allows a difference of ``gap`` hundredths of a point."""
    return probability(system, gap, match_length) <= 0.5 + window / 100


def probability(system: System, gap: int, match_length: int) -> float:
    """The win probability of the stronger player at a difference of ``gap`` hundredths of a point."""
    return system.win_probability(Decimal(gap) / 100, Decimal(0), match_length)


def longest(common: Numbers, in_reach: Numbers) -> Numbers:
    """The length of each pair as an index, from the shortest one on; -1: none.

    ``common`` has a bit for each length that both accept. At the first ``in_reach`` lengths, the pair is in the window.
    """
    return highest_bit(common & ((1 << in_reach) - 1))


def highest_bit(bits: Numbers) -> Numbers:
    """The position of the highest bit, -1 for none. Correct for up to 53 bits."""
    return np.frexp(bits.astype(np.float64))[1].astype(np.int64) - 1
