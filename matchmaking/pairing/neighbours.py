"""The candidate pairs.

In a short queue, these are all pairs that may meet. In a long one, they are each ticket's nearest tickets in rating for
each of its lengths, because the fairest matches are between those. If none of them is possible for a ticket, the whole
queue is searched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from matchmaking.pairing.effort import SHORT, SearchEffort
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Flags, Numbers


class Candidates(NamedTuple):
    """Pairs that may meet: the two positions, the lower one first, and the index of the length they would play."""

    one: Numbers
    two: Numbers
    length: Numbers


def candidates(queue: Queue, effort: SearchEffort) -> Candidates:
    """The candidates. Pairs of an isolated ticket can be in it twice."""
    if len(queue) <= SHORT:
        one, two = np.triu_indices(len(queue), k=1)
        return admitted(queue, one, two)
    near = nearest(queue, np.arange(len(queue)), effort.nearest)
    isolated = np.flatnonzero(~has_candidate(queue, near))
    return concatenated([near, *(partners_of(queue, ticket, effort.nearest) for ticket in isolated.tolist())])


def has_candidate(queue: Queue, choice: Candidates) -> Flags:
    """For each position, whether it is in a candidate pair."""
    flags = np.zeros(len(queue), dtype=np.bool_)
    flags[choice.one] = flags[choice.two] = True
    return flags


def admitted(queue: Queue, one: Numbers, two: Numbers) -> Candidates:
    """The pairs that may meet, with their match lengths."""
    length = queue.length_of(one, two)
    fit = length >= 0
    return without_forbidden(queue, Candidates(one[fit], two[fit], length[fit]))


def without_forbidden(queue: Queue, choice: Candidates) -> Candidates:
    """The pairs that are not forbidden."""
    may = ~queue.forbidden(choice.one, choice.two)
    return Candidates(*(column[may] for column in choice))


def nearest(queue: Queue, among: Numbers, count: int) -> Candidates:
    """For each length and ticket of ``among`` (ascending positions), the next ``count`` tickets with this length.

    A pair is included only at the length that it would play.
    """
    found = [Candidates(among[:0], among[:0], among[:0])]
    for index in range(len(queue.lengths)):
        taking = among[queue.accepted[among] >> index & 1 == 1]
        for step in range(1, min(count, len(taking) - 1) + 1):
            one, two = taking[:-step], taking[step:]
            there = queue.length_of(one, two) == index
            found.append(Candidates(one[there], two[there], np.full(np.count_nonzero(there), index)))
    return without_forbidden(queue, concatenated(found))


def partners_of(queue: Queue, ticket: int, count: int) -> Candidates:
    """The nearest ``count`` tickets in the whole queue that this one may meet."""
    others = np.delete(np.arange(len(queue)), ticket)
    found = admitted(queue, np.minimum(others, ticket), np.maximum(others, ticket))
    order = np.argsort(queue.cents[found.two] - queue.cents[found.one], kind="stable")[:count]
    return Candidates(*(column[order] for column in found))


def concatenated(several: list[Candidates]) -> Candidates:
    """All candidates together."""
    return Candidates(*(np.concatenate(columns) for columns in zip(*several, strict=True)))
