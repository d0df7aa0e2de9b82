"""The best choice of pairs.

This is a maximum weight matching. Edmonds' blossom algorithm finds it, but its time grows with the square of the queue
or faster. So a long queue is cut into blocks, and each block is solved exactly. Then the queue is cut at other places,
and each new block is solved again; pairs that are not inside one block are kept. No pass makes the result worse. A
queue that fits into one block is solved exactly.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import rustworkx as rx

from matchmaking.pairing.effort import SHORT, SearchEffort
from matchmaking.pairing.neighbours import Candidates, nearest
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Numbers

NOBODY = -1
NEAREST_LEFT = 32


def best_partners(queue: Queue, choice: Candidates, effort: SearchEffort) -> Numbers:
    """The partner's position for each position, or :data:`NOBODY`."""
    partner = np.full(len(queue), NOBODY, dtype=np.int64)
    everyone = np.arange(len(queue))
    for turn in range(effort.passes):
        solve(queue, choice, partner, everyone, effort.block, shift=turn * effort.block // effort.passes)
    # The unmatched tickets are far apart, so they may not have been each other's candidates.
    left = np.flatnonzero(partner == NOBODY)
    solve(queue, nearest(queue, left, NEAREST_LEFT), partner, left, SHORT)
    return partner


def solve(queue: Queue, choice: Candidates, partner: Numbers, among: Numbers, size: int, shift: int = 0) -> None:
    """Cut the tickets ``among`` into blocks of ``size``, and find the best pairing of each block.

    ``partner`` is the present result and is changed. Pairs that are not inside one block are kept.
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
        found += [(first + a, first + b) for a, b in max_weight_pairs(*(column[start:end] for column in columns))]
    if found:
        ones, twos = among[np.array(found, dtype=np.int64)].T
        partner[ones], partner[twos] = twos, ones


def max_weight_pairs(one: list[int], two: list[int], value: list[int]) -> list[tuple[int, int]]:
    """The pairs with the greatest total value. The arguments are the candidates: both positions and the value."""
    if len(one) == 1:
        return [(one[0], two[0])]
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    graph.extend_from_weighted_edge_list(list(zip(one, two, value, strict=True)))
    return list(rx.max_weight_matching(graph, weight_fn=int))
