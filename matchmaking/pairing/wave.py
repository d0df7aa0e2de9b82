"""One wave: the pairs of a queue, and the unmatched tickets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from matchmaking.pairing.effort import effort_for
from matchmaking.pairing.matching import NOBODY, best_partners
from matchmaking.pairing.neighbours import Candidates, candidates, has_candidate
from matchmaking.pairing.opponents import Meeting, meeting, one_per_player
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.reasons import reason
from matchmaking.pairing.types import Numbers, Pair, Reason, Relaxed, System, Ticket, Unmatched
from matchmaking.pairing.window import START


class Wave:
    """The result of a wave, in rating order. ``unmatched`` is computed only if it is used."""

    def __init__(self, queue: Queue, choice: Candidates, partner: Numbers, others: list[Ticket]) -> None:
        self._queue, self._choice, self._partner, self._others = queue, choice, partner, others
        one = np.flatnonzero(partner > np.arange(len(queue)))
        self.pairs = pairs(queue, one, partner[one])

    @cached_property
    def unmatched(self) -> list[Unmatched]:
        """The unmatched tickets with their reasons. Second tickets of a player are last."""
        queue, in_reach = self._queue, has_candidate(self._queue, self._choice)
        stay = [
            Unmatched(queue.tickets[place], Reason.ODD_ONE_OUT if in_reach[place] else reason(queue, place))
            for place in np.flatnonzero(self._partner == NOBODY).tolist()
        ]
        return stay + [Unmatched(other, Reason.DUPLICATE) for other in self._others]


def pair(tickets: Iterable[Ticket], system: System) -> Wave:
    """The best pairing of the tickets (:mod:`~matchmaking.pairing.objective`). Their order does not matter.

    Raises ``ValueError`` if two tickets have the same id.
    """
    counting, others = one_per_player(tickets)
    queue = Queue(counting, system)
    effort = effort_for(len(queue))
    choice = candidates(queue, effort)
    return Wave(queue, choice, best_partners(queue, choice, effort), others)


def pairs(queue: Queue, one: Numbers, two: Numbers) -> list[Pair]:
    """The pairs at these positions."""
    length = queue.length_of(one, two)
    probability = queue.system.win_probability
    columns = (one.tolist(), two.tolist(), length.tolist(), queue.windows[one].tolist(), queue.windows[two].tolist())
    made = []
    for first, second, index, window_one, window_two in zip(*columns, strict=True):
        a, b, match_length = queue.tickets[first], queue.tickets[second], queue.lengths[index]
        chance = probability(a.rating, b.rating, match_length)
        made.append(Pair(a, b, match_length, chance, window_one, window_two, relaxed(a, b, chance)))
    return made


def relaxed(one: Ticket, two: Ticket, probability: float) -> tuple[Relaxed, ...]:
    """The limits that were relaxed for this pair."""
    wide = (Relaxed.WINDOW,) if probability < 0.5 - START / 100 else ()
    # Checked first, because most players have no earlier meetings.
    again = (one.met or two.met) and meeting(one, two) is Meeting.RELAXED
    return (*wide, Relaxed.REMATCH_PAUSE) if again else wide
