"""The values of pairing."""

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
    """The part of a rating system that pairing uses.

    The win probability must depend only on the difference of the ratings, and be greater for the higher one. Equal
    systems must always give the same results, because these are cached.
    """

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Met:
    """Earlier ranked meetings with one opponent: the seconds since the last one, and their number within a day."""

    seconds_ago: float
    times_today: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player who waits for a ranked match.

    ``rating`` is in points, with two decimal places. ``multiplier`` is how many times faster than an established
    player's it changes (1 or more). ``lengths`` are the accepted match lengths, and ``waiting`` is in seconds.
    ``blocked`` are the blocked players, ``met`` the players that this one met within a day.
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
    """A limit that was relaxed for a pair, because of waiting time or a new player."""

    WINDOW = "window"
    REMATCH_PAUSE = "rematch_pause"


class Pair(NamedTuple):
    """Two paired tickets. ``one`` has the lower rating, and ``win_probability`` (0 to 1) is that player's.

    ``window_one`` and ``window_two`` are the windows of the players, in percentage points from 50 %.
    """

    one: Ticket
    two: Ticket
    match_length: int
    win_probability: float
    window_one: int
    window_two: int
    relaxed: tuple[Relaxed, ...]


class Reason(StrEnum):
    """Why a ticket is unmatched.

    There is no other ticket; no other one has a common length; none of those is in reach; all in reach are blocked; all
    in reach are blocked or were met recently; all possible ones are paired with others; the player has another ticket.
    """

    ALONE = "alone"
    NO_COMMON_LENGTH = "no_common_length"
    OUT_OF_REACH = "out_of_reach"
    ONLY_BLOCKED = "only_blocked"
    ONLY_RECENT = "only_recent"
    ODD_ONE_OUT = "odd_one_out"
    DUPLICATE = "duplicate"


class Unmatched(NamedTuple):
    """A ticket without a partner, and the reason."""

    ticket: Ticket
    reason: Reason
