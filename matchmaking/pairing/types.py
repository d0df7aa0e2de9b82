"""The values that pairing takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int64]
Fractions: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


class System(Protocol):
    """What pairing asks of a rating system; the ladder's own rules answer it.

    The win probability must depend on the difference of the ratings alone, and favour the higher one. Equal systems
    answer alike, always: what follows from their answers is kept.
    """

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Met:
    """Earlier ranked meetings with one opponent: seconds since the last one, and how many within a day."""

    seconds_ago: float
    times_today: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player who waits for a ranked match.

    ``rating`` is in points, to the hundredth; ``multiplier`` says how much faster than an established player's it moves
    (1 or more); ``lengths`` are the match lengths that the player takes; ``waiting`` is in seconds. ``blocked`` names
    the players whom they never want to meet, ``met`` those whom they met within a day.
    """

    id: str
    player: str
    rating: Decimal
    multiplier: float
    lengths: frozenset[int]
    waiting: float = 0
    blocked: frozenset[str] = frozenset()
    met: Mapping[str, Met] = field(default_factory=dict)


class Relaxed(StrEnum):
    """What a pair owes to waiting or to being new: without it the two would not have met."""

    WINDOW = "window"
    REMATCH_PAUSE = "rematch_pause"


class Pair(NamedTuple):
    """Two tickets that meet, and why. ``one`` has the lower rating; ``win_probability`` (0 to 1) is that player's.

    ``window_one`` and ``window_two`` say how far from 50 % each would have gone, in percentage points.
    """

    one: Ticket
    two: Ticket
    match_length: int
    win_probability: float
    window_one: int
    window_two: int
    relaxed: tuple[Relaxed, ...]


class Reason(StrEnum):
    """Why a ticket stays in the queue.

    Alone in it; nobody takes its lengths; nobody both takes one and is in reach; all who do are blocked; all are
    blocked or were met recently; all who would do got others; the player has another ticket.
    """

    ALONE = "alone"
    NO_COMMON_LENGTH = "no_common_length"
    OUT_OF_REACH = "out_of_reach"
    ONLY_BLOCKED = "only_blocked"
    ONLY_RECENT = "only_recent"
    ODD_ONE_OUT = "odd_one_out"
    DUPLICATE = "duplicate"


class Unmatched(NamedTuple):
    """A ticket that stays, and why."""

    ticket: Ticket
    reason: Reason
