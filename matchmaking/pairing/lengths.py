"""At which length two players meet: the longest that both accept and both windows admit.

The longer the match, the more skill decides it, so over a longer one the same window reaches less far in rating. Two
players of unequal strength who also accept short matches meet over a short one.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

import numpy as np

from matchmaking.pairing.types import Fractions, Numbers, System

# No ladder of people spreads over more points than this.
WIDEST_GAP = 1_000_000

# The win probability between these many points of its curve is a straight line, right to 0.000001.
_CURVE_POINTS = 200


# Every wave asks for the same few lengths and windows.
@lru_cache(maxsize=10_000)
def reach(system: System, match_length: int, window: int) -> int:
    """The largest difference in rating, in hundredths of a point, that ``window`` admits at ``match_length``."""
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
    """Gaps from nothing to ``widest``, in hundredths of a point, and the stronger player's win probability at them."""
    gaps = np.unique(np.linspace(0, max(widest, 1), _CURVE_POINTS).astype(np.int64))
    chances = np.array([probability(system, gap, match_length) for gap in gaps.tolist()], dtype=np.float64)
    points = gaps.astype(np.float64)
    for shared in (points, chances):
        shared.setflags(write=False)
    return points, chances


def admits(system: System, gap: int, match_length: int, window: int) -> bool:
    """Whether the stronger player, ``gap`` hundredths of a point ahead, wins no more often than ``window`` allows."""
    return probability(system, gap, match_length) <= 0.5 + window / 100


def probability(system: System, gap: int, match_length: int) -> float:
    """How likely the stronger player wins, ``gap`` hundredths of a point ahead."""
    return system.win_probability(Decimal(gap) / 100, Decimal(0), match_length)


def longest(common: Numbers, in_reach: Numbers) -> Numbers:
    """The length of each pair as an index, -1 for none, when the lengths are numbered from the shortest on.

    ``common`` has a bit set for each length that both accept; the first ``in_reach`` lengths have the pair in reach.
    """
    return highest_bit(common & ((1 << in_reach) - 1))


def highest_bit(bits: Numbers) -> Numbers:
    """The place of the highest bit set, -1 for none. Right for up to 53 bits."""
    return np.frexp(bits.astype(np.float64))[1].astype(np.int64) - 1
