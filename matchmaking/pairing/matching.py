"""The best choice of pairs.

In general a maximum weight matching, which Edmonds' blossom algorithm finds, in a time that grows with the square of
the queue and more. So a long queue is cut into blocks, each of which is solved for good; then it is cut elsewhere, and
each new block is solved again while pairs that reach out of it are held. No pass makes the pairing worse, and after
the last one only changes across several blocks at once could make it better. A queue that fits into one block is
solved exactly.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import rustworkx as rx

from matchmaking.pairing.neighbours import Candidates, nearest
from matchmaking.pairing.plan import SHORT, Plan
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Numbers

NOBODY = -1
FEW_LEFT = 32


def best_partners(queue: Queue, choice: Candidates, plan: Plan) -> Numbers:
    """For each position the position of its partner, or :data:`NOBODY`."""
    partner = np.full(len(queue), NOBODY, dtype=np.int64)
    everyone = np.arange(len(queue))
    for turn in range(plan.passes):
        solve(queue, choice, partner, everyone, plan.block, shift=turn * plan.block // plan.passes)
    # Those left over are far apart: they had no chance to be each other's nearest among all.
    left = np.flatnonzero(partner == NOBODY)
    solve(queue, nearest(queue, left, FEW_LEFT), partner, left, SHORT)
    return partner


def solve(queue: Queue, choice: Candidates, partner: Numbers, among: Numbers, size: int, shift: int = 0) -> None:
    """Cut the tickets ``among`` which to pair into blocks of ``size``, and pair each block anew as well as can be.

    ``partner`` is what is so far, and is changed. Pairs that are not in one block are held.
    """
    place = np.full(len(queue), -1, dtype=np.int64)
    place[among] = np.arange(len(among)) + shift
    block = place // size
    free = (place >= 0) & ((partner == NOBODY) | (block[partner] == block))
    inside = np.flatnonzero(free[choice.one] & free[choice.two] & (block[choice.one] == block[choice.two]))
    inside = inside[np.argsort(block[choice.one[inside]], kind="stable")]
    one, two, length = (column[inside] for column in choice)
    columns = [(place[one] % size).tolist(), (place[two] % size).tolist(), queue.values(one, two, length).tolist()]
    partner[free] = NOBODY
    borders = np.flatnonzero(np.diff(block[one], prepend=-1, append=-1)).tolist()
    found: list[tuple[int, int]] = []
    for start, end in pairwise(borders):
        first = int(block[one[start]]) * size - shift
        found += [(first + a, first + b) for a, b in heaviest(*(column[start:end] for column in columns))]
    if found:
        ones, twos = among[np.array(found, dtype=np.int64)].T
        partner[ones], partner[twos] = twos, ones


def heaviest(one: list[int], two: list[int], value: list[int]) -> list[tuple[int, int]]:
    """The matching of the greatest total value among edges between ``one`` and ``two``."""
    if len(one) == 1:
        return [(one[0], two[0])]
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    graph.extend_from_weighted_edge_list(list(zip(one, two, value, strict=True)))
    return list(rx.max_weight_matching(graph, weight_fn=int))
