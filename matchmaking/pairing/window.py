"""The window: how far from 50 % the win probability of a match may be.

A window of 5 allows win probabilities from 45 to 55 %. It starts at 5, is wider for new players, whose ratings are not
reliable yet, and gets wider while the player waits. A match must be in the windows of both players.
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
    """How many percentage points wider the window of a new player is. ``multiplier`` is that of the ticket."""
    return NEWCOMER_STEP * max(0, ceil(round(multiplier - 1, 6)))


def window(waiting: Fractions, head_start: Numbers) -> Numbers:
    """The windows after ``waiting`` seconds, in percentage points."""
    patience = np.clip(waiting // SECONDS_PER_STEP, 0, WIDEST).astype(np.int64)
    widths: Numbers = np.minimum(START + head_start + patience, WIDEST)
    return widths
