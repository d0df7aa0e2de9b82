"""The pairing is the best one: against all ways to pair a few, and against a general matching of many."""

from __future__ import annotations

import numpy as np
import pytest
import rustworkx as rx
from hypothesis import given, settings

from matchmaking.pairing import wave
from matchmaking.pairing.effort import SHORT, effort_for
from matchmaking.pairing.neighbours import admitted
from matchmaking.pairing.opponents import one_per_player
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Pair, Ticket
from matchmaking.pairing.wave import pair
from tests.matchmaking.pairing.crowds import crowd, queues
from tests.matchmaking.pairing.reference import SYSTEM, Total, best, counts, ticket, total

# Unfairness is weighed in ten-millionths and read off a curve; per pair it is right to this.
PRECISION = 4e-7


def best_in_general(tickets: list[Ticket]) -> Total:
    """The best total by the general algorithm, with every pair that may be, and values by the plain rules."""
    graph: rx.PyGraph[Ticket, tuple[Ticket, Ticket]] = rx.PyGraph(multigraph=False)
    queue = Queue(one_per_player(tickets)[0], SYSTEM)
    choice = admitted(queue, *np.triu_indices(len(queue), k=1))
    edges = list(zip(choice.one.tolist(), choice.two.tolist(), strict=True))
    graph.add_nodes_from(queue.tickets)
    graph.add_edges_from([(a, b, (queue.tickets[a], queue.tickets[b])) for a, b in edges])

    def weight(pair: tuple[Ticket, Ticket]) -> int:
        own = counts(*pair)
        assert own is not None
        return own[0] * 10**15 + round(own[1] * 10**9)

    chosen = rx.max_weight_matching(graph, weight_fn=weight)
    found = [counts(queue.tickets[a], queue.tickets[b]) for a, b in chosen]
    return sum(it[0] for it in found if it), sum(it[1] for it in found if it)


@settings(max_examples=2 * settings().max_examples)
@given(queues())
def test_no_other_way_to_pair_a_short_queue_is_better(tickets: list[Ticket]):
    found = total(pair(tickets, SYSTEM).pairs)
    most = best(tickets)
    assert found[0] == most[0]
    assert found[1] == pytest.approx(most[1], abs=PRECISION * len(tickets))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_up_to_one_block_it_is_what_the_general_algorithm_finds(seed: int):
    tickets = crowd(SHORT, seed)
    found, most = total(pair(tickets, SYSTEM).pairs), best_in_general(tickets)
    assert found[0] == most[0]
    assert found[1] == pytest.approx(most[1], abs=PRECISION * SHORT)


@pytest.mark.parametrize(
    ("size", "effort", "served", "unfairness"),
    [(400, effort_for(2_000), 1, 1.05), (400, effort_for(6_000), 0.998, 1.25), (400, effort_for(20_000), 0.98, 2)],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_longer_queue_is_served_nearly_as_well(monkeypatch, size, effort, served, unfairness, seed):
    """The coarser plans are for far longer queues, whose neighbours are closer: here they are at their worst."""
    monkeypatch.setattr(wave, "effort_for", lambda _: effort)
    tickets = crowd(size, seed)
    found, most = total(pair(tickets, SYSTEM).pairs), best_in_general(tickets)
    assert served * most[0] <= found[0] <= most[0]
    assert -found[1] <= -most[1] * unfairness


def outcome(pairs: list[Pair]) -> set[frozenset[str]]:
    return {frozenset({pair.one.player, pair.two.player}) for pair in pairs}


def test_it_does_not_take_the_nearest_first():
    # The two in the middle are nearest, and would leave the outer two without anyone in reach.
    ratings = {"player01": "600", "player02": "670", "player03": "680", "player04": "750"}
    found = pair([ticket(name, rating) for name, rating in ratings.items()], SYSTEM).pairs
    assert outcome(found) == {frozenset({"player01", "player02"}), frozenset({"player03", "player04"})}


def test_the_last_ticket_is_unmatched():
    tickets = [ticket("player01", "600", waiting=3), ticket("player02", "600", waiting=30)]
    assert outcome(pair([*tickets, ticket("player03", "650", waiting=40)], SYSTEM).pairs) == {
        frozenset({"player02", "player03"})
    }
