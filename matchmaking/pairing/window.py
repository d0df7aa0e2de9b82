"""How uneven a match a player takes.

A window of 5 admits matches in which the win probability is 45 to 55 %. It starts there, is wider for newcomers, whose
rating says little yet, and widens while the player waits. Both players' windows must admit a match.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from matchmaking.pairing.types import Fractions, Numbers

START = 5
WIDEST = 25
SECONDS_PER_STEP = 10
NEWCOMER_STEP = 2


def head_start(multiplier: float) -> int:
    """How many percentage points wider the window is of a player whose rating moves so many times as fast."""
    return NEWCOMER_STEP * max(0, ceil(round(multiplier - 1, 6)))


def window(waiting: Fractions, head_start: Numbers) -> Numbers:
    """How far from 50 % the win probability may be, in percentage points, after ``waiting`` seconds."""
    patience = np.clip(waiting // SECONDS_PER_STEP, 0, WIDEST).astype(np.int64)
    widths: Numbers = np.minimum(START + head_start + patience, WIDEST)
    return widths
