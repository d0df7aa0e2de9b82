"""One look at the queue: who plays whom now, who stays, and why."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from matchmaking.pairing.matching import NOBODY, best_partners
from matchmaking.pairing.neighbours import candidates, wanted
from matchmaking.pairing.opponents import Meeting, meeting, one_each
from matchmaking.pairing.plan import plan_for
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.reasons import reason
from matchmaking.pairing.types import Numbers, Pair, Reason, Relaxed, System, Ticket, Unmatched, Wave
from matchmaking.pairing.window import START


def pair(tickets: Iterable[Ticket], system: System) -> Wave:
    """The best pairing of the tickets, by :mod:`~matchmaking.pairing.objective`. The order of the tickets is no matter.

    Raises ``ValueError`` when two tickets have the same id.
    """
    counting, others = one_each(tickets)
    queue = Queue(counting, system)
    plan = plan_for(len(queue))
    choice = candidates(queue, plan)
    partner = best_partners(queue, choice, plan)
    one = np.flatnonzero(partner > np.arange(len(queue)))
    in_reach = wanted(queue, choice)
    stay = [
        Unmatched(queue.tickets[place], Reason.ODD_ONE_OUT if in_reach[place] else reason(queue, place))
        for place in np.flatnonzero(partner == NOBODY).tolist()
    ]
    return Wave(pairs(queue, one, partner[one]), stay + [Unmatched(other, Reason.DUPLICATE) for other in others])


def pairs(queue: Queue, one: Numbers, two: Numbers) -> list[Pair]:
    """The pairs at these positions, each with its explanation."""
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
    """What this pair owes to waiting or to being new."""
    wide = (Relaxed.WINDOW,) if probability < 0.5 - START / 100 else ()
    # Without an earlier meeting there is nothing to relax, and most have none.
    again = (one.met or two.met) and meeting(one, two) is Meeting.RELAXED
    return (*wide, Relaxed.REMATCH_PAUSE) if again else wide
