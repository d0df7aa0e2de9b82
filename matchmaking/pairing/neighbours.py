"""The pairs that are worth looking at.

In a short queue these are all that may meet. In a long one each ticket gets its nearest few, at each length that it
accepts: the fairest partners are neighbours in rating, and a best pairing hardly ever needs others. A ticket that finds
nobody among its nearest looks at the whole queue.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from matchmaking.pairing.plan import SHORT, Plan
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Flags, Numbers


class Candidates(NamedTuple):
    """Pairs that may meet: the two positions, the lower one first, and the index of the length they would play."""

    one: Numbers
    two: Numbers
    length: Numbers


def candidates(queue: Queue, plan: Plan) -> Candidates:
    """The pairs to choose from; one of a lonely ticket may be there twice."""
    if len(queue) <= SHORT:
        one, two = np.triu_indices(len(queue), k=1)
        return admitted(queue, one, two)
    near = nearest(queue, np.arange(len(queue)), plan.nearest)
    lonely = np.flatnonzero(~wanted(queue, near))
    return joined([near, *(partners_of(queue, ticket, plan.nearest) for ticket in lonely.tolist())])


def wanted(queue: Queue, choice: Candidates) -> Flags:
    """For each position, whether the choice has a pair with it."""
    flags = np.zeros(len(queue), dtype=np.bool_)
    flags[choice.one] = flags[choice.two] = True
    return flags


def admitted(queue: Queue, one: Numbers, two: Numbers) -> Candidates:
    """Those of the pairs that may meet, with the length each would play."""
    length = queue.length_of(one, two)
    fit = length >= 0
    return allowed(queue, Candidates(one[fit], two[fit], length[fit]))


def allowed(queue: Queue, choice: Candidates) -> Candidates:
    """Those of the pairs that are not forbidden."""
    may = ~queue.forbidden(choice.one, choice.two)
    return Candidates(*(column[may] for column in choice))


def nearest(queue: Queue, among: Numbers, count: int) -> Candidates:
    """For each length, and each of the tickets (positions in rising order), the next few that take it too.

    A pair is found where it takes the length that it would play, and only there.
    """
    found = [Candidates(among[:0], among[:0], among[:0])]
    for index in range(len(queue.lengths)):
        taking = among[queue.accepted[among] >> index & 1 == 1]
        for step in range(1, min(count, len(taking) - 1) + 1):
            one, two = taking[:-step], taking[step:]
            there = queue.length_of(one, two) == index
            found.append(Candidates(one[there], two[there], np.full(np.count_nonzero(there), index)))
    return allowed(queue, joined(found))


def partners_of(queue: Queue, ticket: int, count: int) -> Candidates:
    """Of all that may meet this ticket, the nearest few."""
    others = np.delete(np.arange(len(queue)), ticket)
    found = admitted(queue, np.minimum(others, ticket), np.maximum(others, ticket))
    order = np.argsort(queue.cents[found.two] - queue.cents[found.one], kind="stable")[:count]
    return Candidates(*(column[order] for column in found))


def joined(several: list[Candidates]) -> Candidates:
    """All of them as one."""
    return Candidates(*(np.concatenate(columns) for columns in zip(*several, strict=True)))
