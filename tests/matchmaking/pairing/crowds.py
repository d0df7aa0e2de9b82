"""Queues for the tests: drawn by hypothesis, or large ones by a seed."""

from __future__ import annotations

from decimal import Decimal
from random import Random

from hypothesis import strategies as st

from ladder.rules.rule_sets import QUEUE_LENGTHS
from matchmaking.pairing.types import Met, Ticket
from tests.matchmaking.pairing.reference import ticket

_WAITING = st.sampled_from([0.0, 4.0, 9.9, 10.0, 45.0, 299.0, 300.0, 600.0, 4000.0])


@st.composite
def queues(draw: st.DrawFn, most: int = 8) -> list[Ticket]:
    """A short queue in which everything happens: near and far ratings, blocks, rematches, two tickets of one player."""
    names = [f"player{number:02}" for number in range(draw(st.integers(0, most)))]
    known = st.sampled_from(names or ["nobody"])
    tickets = [
        ticket(
            name,
            draw(st.decimals(550, 900, places=2)),
            lengths=draw(st.sets(st.sampled_from([1, 5, 11, 25]), min_size=1)),
            multiplier=draw(st.sampled_from([4.99, 3.49, 1.0])),
            waiting=draw(_WAITING),
            blocked=draw(st.frozensets(known, max_size=2)),
            met=draw(
                st.dictionaries(
                    known, st.builds(Met, st.sampled_from([60.0, 1799.0, 1800.0]), st.integers(1, 3)), max_size=3
                )
            ),
        )
        for name in names
    ]
    return draw(st.permutations(tickets))


def crowd(size: int, seed: int) -> list[Ticket]:
    """A long queue, of which neighbours in rating have often met or blocked each other."""
    random = Random(seed)
    ratings = sorted(round(random.gauss(700, 120), 2) for _ in range(size))

    def near(place: int) -> str:
        return f"player{min(max(place + random.randint(-9, 9), 0), size - 1):06}"

    tickets = [
        ticket(
            f"player{place:06}",
            Decimal(str(rating)),
            lengths=random.sample(QUEUE_LENGTHS, random.choice([1, 1, 2, 3])),
            multiplier=random.choice([4.99, 3.99, 1.99, 1.0, 1.0, 1.0]),
            waiting=random.expovariate(1 / 30),
            blocked=frozenset(near(place) for _ in range(random.choice([0, 0, 1]))),
            met={near(place): Met(random.uniform(0, 7200), random.randint(1, 3)) for _ in range(3)},
        )
        for place, rating in enumerate(ratings)
    ]
    random.shuffle(tickets)
    return tickets
