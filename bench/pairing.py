"""Pairing: the time of a wave, its result compared with the best one, and with greedy pairing."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, median, quantiles

import numpy as np
import rustworkx as rx

from bench import report
from ladder.rules.rule_sets import QUEUE_LENGTHS, latest
from matchmaking.pairing.effort import effort_for
from matchmaking.pairing.matching import NOBODY, best_partners
from matchmaking.pairing.neighbours import admitted, candidates
from matchmaking.pairing.nominal import for_pairing
from matchmaking.pairing.opponents import one_per_player
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Met, Ticket
from matchmaking.pairing.wave import pair, pairs

SYSTEM = for_pairing(latest("fibs-600").system)
SIZES = (100, 1_000, 10_000, 100_000)
ROUNDS = 5

# One simulated hour with few and with many players. Each player rests for a random time between matches.
PLAYERS = (600, 6_000)
HOUR = 3600
REST = 600
WAVE = 5

Pairing = Callable[[list[Ticket]], list[tuple[Ticket, Ticket, float]]]


def run(_seconds: float) -> None:
    report.title("A wave with all rules; limit: dynamic programming over neighbours, without rules")
    for size in SIZES:
        tickets = crowd(size)
        took, floor = usual_time(partial(pair, tickets, SYSTEM)), usual_time(partial(without_rules, tickets))
        report.figure(f"{size:,} tickets", took * 1000, "ms", limit=floor * 1000)
    report.title("The result of a wave; limit: the best one (general matching over all pairs)")
    for size in (100, 500, 1_000):
        beside_the_best(size)
    for players in PLAYERS:
        report.title(f"One hour with {players:,} players, a wave every {WAVE} s; limit: greedy, nearest first")
        greedily, globally = simulate_hour(greedy, players), simulate_hour(best, players)
        for name, unit in (("waiting", "s"), ("unfairness", "%")):
            own, other = getattr(globally, name), getattr(greedily, name)
            report.figure(f"{name}, median", median(own), unit, limit=median(other), note=f"({median(other):.2f})")
            report.figure(f"{name}, 95th percentile", p95(own), unit, limit=p95(other), note=f"({p95(other):.2f})")
        report.figure("matches", len(globally.unfairness), "", limit=len(greedily.unfairness))


def crowd(size: int) -> list[Ticket]:
    """A queue. Half the tickets have only one length, and many have met or blocked players with similar ratings."""
    random = Random(size)
    ratings = sorted(random.gauss(700, 120) for _ in range(size))

    def near(place: int) -> str:
        return f"player{min(max(place + random.randint(-20, 20), 0), size - 1):06}"

    tickets = [
        Ticket(
            id=f"{random.getrandbits(64):016x}",
            player=f"player{place:06}",
            rating=Decimal(round(rating * 100)) / 100,
            multiplier=random.choice([4.99, 4.49, 2.99, 1.0, 1.0]),
            lengths=frozenset(random.sample(QUEUE_LENGTHS, random.choice([1, 1, 1, 2, 3, 5]))),
            waiting=random.expovariate(1 / 30),
            blocked=frozenset(near(place) for _ in range(random.choice([0, 0, 0, 0, 1]))),
            met={near(place): Met(random.uniform(0, 7200), random.randint(1, 3)) for _ in range(random.choice([0, 2]))},
        )
        for place, rating in enumerate(ratings)
    ]
    random.shuffle(tickets)
    return tickets


def usual_time(work: Callable[[], object]) -> float:
    """The median time of several rounds, in seconds."""
    took = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return median(took)


def without_rules(tickets: list[Ticket]) -> float:
    """The least sum of rating gaps if all tickets may meet: the time of sorting and one pass."""
    ratings = sorted(float(ticket.rating) for ticket in tickets)
    alone = 1e6
    before, cost = 0.0, alone
    for lower, upper in pairwise(ratings):
        before, cost = cost, min(cost + alone, before + upper - lower)
    return cost


def beside_the_best(size: int) -> None:
    queue = Queue(one_per_player(crowd(size))[0], SYSTEM)
    effort = effort_for(size)
    own = best_partners(queue, candidates(queue, effort), effort)
    everything = admitted(queue, *np.triu_indices(size, k=1))
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=False)
    columns = (everything.one.tolist(), everything.two.tolist(), queue.values(*everything).tolist())
    graph.extend_from_weighted_edge_list(list(zip(*columns, strict=True)))
    chosen = np.array(list(rx.max_weight_matching(graph, weight_fn=int)), dtype=np.int64)
    one, two = np.sort(chosen, axis=1).T
    mine = np.flatnonzero(own > np.arange(size))
    nearest = [it[2] for it in greedy(crowd(size))]
    report.figure(f"{size:,} tickets: pairs", len(mine), "", limit=len(one), note=f"(greedy {len(nearest)})")
    ours = rms([it.win_probability for it in pairs(queue, mine, own[mine])])
    most = rms([it.win_probability for it in pairs(queue, one, two)])
    note = f"(greedy {rms(nearest):.2f})"
    report.figure(f"{size:,} tickets: unfairness, root mean square", ours, "%", limit=most, note=note)


def rms(probabilities: list[float]) -> float:
    """The root mean square distance from 50 %, in percentage points."""
    return 100 * sqrt(fmean((it - 0.5) ** 2 for it in probabilities))


def best(tickets: list[Ticket]) -> list[tuple[Ticket, Ticket, float]]:
    return [(it.one, it.two, it.win_probability) for it in pair(tickets, SYSTEM).pairs]


def greedy(tickets: list[Ticket]) -> list[tuple[Ticket, Ticket, float]]:
    """The ticket with the longest wait gets the nearest possible partner, and so on, with the same rules."""
    queue = Queue(one_per_player(tickets)[0], SYSTEM)
    one, two, _ = admitted(queue, *np.triu_indices(len(queue), k=1))
    near: dict[int, list[tuple[int, int]]] = {}
    for a, b, gap in zip(one.tolist(), two.tolist(), (queue.cents[two] - queue.cents[one]).tolist(), strict=True):
        near.setdefault(a, []).append((gap, b))
        near.setdefault(b, []).append((gap, a))
    partner = np.full(len(queue), NOBODY, dtype=np.int64)
    for place in sorted(near, key=lambda it: -queue.tickets[it].waiting):
        free = [it for it in near[place] if partner[it[1]] == NOBODY]
        if partner[place] == NOBODY and free:
            other = min(free)[1]
            partner[place], partner[other] = other, place
    first = np.flatnonzero(partner > np.arange(len(queue)))
    return [(it.one, it.two, it.win_probability) for it in pairs(queue, first, partner[first])]


@dataclass
class HourResult:
    """The waiting times in seconds, and the distances from 50 % in percentage points."""

    waiting: list[float] = field(default_factory=list)
    unfairness: list[float] = field(default_factory=list)


def simulate_hour(pairing: Pairing, players: int) -> HourResult:
    """Players come, wait, play and come again. Their own random generators give both pairings the same input."""
    habits = {f"player{number:05}": Random(number) for number in range(players)}
    people = {name: (Decimal(round(own.gauss(700, 120))), own.randrange(800)) for name, own in habits.items()}
    likes = {name: frozenset(own.sample(QUEUE_LENGTHS, own.choice([1, 2, 3]))) for name, own in habits.items()}
    coming = [(own.expovariate(1 / REST), name) for name, own in habits.items()]
    heapq.heapify(coming)
    since: dict[str, float] = {}
    meetings: dict[str, dict[str, list[float]]] = {name: {} for name in people}
    result = HourResult()
    for now in range(0, HOUR, WAVE):
        while coming and coming[0][0] <= now:
            came, name = heapq.heappop(coming)
            since[name] = came
        tickets = [
            Ticket(
                name,
                name,
                *people[name],
                likes[name],
                now - came,
                met={it: Met(now - times[-1], len(times)) for it, times in meetings[name].items()},
            )
            for name, came in since.items()
        ]
        for one, two, probability in pairing(tickets):
            result.unfairness.append(100 * abs(probability - 0.5))
            for ticket, other in ((one, two), (two, one)):
                result.waiting.append(ticket.waiting)
                meetings[ticket.player].setdefault(other.player, []).append(now)
                del since[ticket.player]
                own = habits[ticket.player]
                heapq.heappush(coming, (now + 900 + own.expovariate(1 / REST), ticket.player))
    # The waiting times of players who are still waiting.
    result.waiting += [HOUR - came for came in since.values()]
    return result


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]
