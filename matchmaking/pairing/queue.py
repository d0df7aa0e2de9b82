"""The tickets as arrays in rating order, and which of them may meet.

Ten thousand tickets have millions of possible pairs, too many for Python code for each pair. So the rules are computed
once for all values that occur (windows are whole percentage points, ratings whole hundredths), and pairs use arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter

import numpy as np

from matchmaking.pairing import lengths, objective
from matchmaking.pairing.opponents import MAY_MEET, meeting
from matchmaking.pairing.types import Flags, Numbers, System, Ticket
from matchmaking.pairing.window import WIDEST, head_start, window

_COLUMNS = attrgetter("rating", "multiplier", "lengths", "waiting")


class Queue:
    """Tickets of different players as arrays, in the order of rating and id.

    A pair is two positions, the lower one first.
    """

    def __init__(self, by_id: Sequence[Ticket], system: System) -> None:
        self.system = system
        ratings, multipliers, accepted, waiting = zip(*map(_COLUMNS, by_id), strict=True) if by_id else ((),) * 4
        cents = np.rint(np.array(list(map(float, ratings)), dtype=np.float64) * 100).astype(np.int64)
        order = np.argsort(cents, kind="stable")
        self.tickets = [by_id[position] for position in order.tolist()]
        self.cents: Numbers = cents[order]
        seconds = np.array(waiting, dtype=np.float64)[order]
        new = {multiplier: head_start(multiplier) for multiplier in set(multipliers)}
        self.windows = window(seconds, np.array([new[it] for it in multipliers], dtype=np.int64)[order])
        self.service = objective.service(seconds)
        # The lengths of each ticket as bits. Bit 0 is the shortest length in the queue.
        self.lengths: list[int] = sorted(set().union(*set(accepted)))
        bits = {kind: sum(1 << self.lengths.index(length) for length in kind) for kind in set(accepted)}
        self.accepted: Numbers = np.array([bits[kind] for kind in accepted], dtype=np.int64)[order]

    def __len__(self) -> int:
        return len(self.tickets)

    def length_of(self, one: Numbers, two: Numbers) -> Numbers:
        """The match length of each pair, as an index into ``lengths``; -1: none."""
        gap = self.cents[two] - self.cents[one]
        narrower = np.minimum(self.windows[one], self.windows[two])
        # A longer match has a smaller reach, so the lengths in reach are the first ones.
        in_reach = np.zeros(len(gap), dtype=np.int64)
        rest = np.arange(len(gap))
        for count in range(len(self.lengths), 0, -1):
            reached = gap[rest] <= self._reach[count - 1][narrower[rest]]
            in_reach[rest[reached]] = count
            rest = rest[~reached]
        return lengths.longest(self.accepted[one] & self.accepted[two], in_reach)

    def forbidden(self, one: Numbers, two: Numbers) -> Flags:
        """Which pairs may not meet because of blocks or earlier meetings."""
        codes = one * len(self) + two
        where = np.searchsorted(self._forbidden, codes)
        found: Flags = self._forbidden[np.minimum(where, len(self._forbidden) - 1)] == codes
        return found

    def values(self, one: Numbers, two: Numbers, length: Numbers) -> Numbers:
        """The value of each pair at this length."""
        gap = self.cents[two] - self.cents[one]
        probability = np.empty(len(gap), dtype=np.float64)
        for index, match_length in enumerate(self.lengths):
            chosen = length == index
            curve = lengths.curve(self.system, match_length, int(self._reach[index].max()))
            probability[chosen] = np.interp(gap[chosen], *curve)
        return objective.value(self.service[one], self.service[two], probability)

    @cached_property
    def _reach(self) -> list[Numbers]:
        used = np.unique(self.windows).tolist()
        table = np.zeros((len(self.lengths), WIDEST + 1), dtype=np.int64)
        for index, length in enumerate(self.lengths):
            table[index, used] = [lengths.reach(self.system, length, width) for width in used]
        return list(table)

    @cached_property
    def _forbidden(self) -> Numbers:
        """The forbidden pairs as sorted codes. The first code, -1, is of no pair, so that the array is never empty."""
        places = {ticket.player: place for place, ticket in enumerate(self.tickets)}
        ones, twos = [], []
        for place, ticket in enumerate(self.tickets):
            if ticket.blocked or ticket.met:
                for player in chain(ticket.blocked, ticket.met):
                    other = places.get(player, place)
                    if other != place:
                        ones.append(min(place, other))
                        twos.append(max(place, other))
        one, two = np.array(ones, dtype=np.int64), np.array(twos, dtype=np.int64)
        near = self.length_of(one, two) >= 0
        codes = np.unique((one * len(self) + two)[near])
        found = zip((codes // len(self)).tolist(), (codes % len(self)).tolist(), strict=True)
        never = [meeting(self.tickets[a], self.tickets[b]) not in MAY_MEET for a, b in found]
        return np.concatenate([[-1], codes[np.array(never, dtype=np.bool_)]])
