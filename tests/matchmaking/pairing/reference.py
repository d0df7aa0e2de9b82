"""The rules of pairing read out plainly, two tickets at a time, and the best pairing found by trying all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from math import ceil

from ladder.rules.rule_sets import latest
from matchmaking.pairing.nominal import for_pairing
from matchmaking.pairing.types import Pair, Ticket

SYSTEM = for_pairing(latest("fibs-600").system)

# A total is (tickets served, each with its waiting; unfairness with a minus).
Total = tuple[int, float]


def ticket(name: str, rating: str | Decimal = "600", *, lengths: Iterable[int] = (5,), **more: object) -> Ticket:
    more = {"multiplier": 1.0, **more}
    return Ticket(f"t-{name}", name, Decimal(rating), lengths=frozenset(lengths), **more)  # type: ignore[arg-type]


def width(one: Ticket) -> int:
    newcomer = 2 * ceil(one.multiplier - 1)
    return min(25, 5 + newcomer + int(one.waiting / 10))


def length(one: Ticket, two: Ticket) -> int | None:
    """The longest common match length that both windows admit."""
    narrower = min(width(one), width(two)) / 100
    common = one.lengths & two.lengths
    stronger, weaker = max(one.rating, two.rating), min(one.rating, two.rating)
    return max((n for n in common if SYSTEM.win_probability(stronger, weaker, n) <= 0.5 + narrower), default=None)


def may_meet(one: Ticket, two: Ticket) -> bool:
    if one.player == two.player or two.player in one.blocked or one.player in two.blocked:
        return False
    met = [it for it in (one.met.get(two.player), two.met.get(one.player)) if it]
    patient = min(one.waiting, two.waiting) >= 300
    return all(it.times_today < 3 and (it.seconds_ago >= 1800 or patient) for it in met)


def counts(one: Ticket, two: Ticket) -> Total | None:
    """What the pair adds to the total; ``None`` where it must not be."""
    points = length(one, two)
    if points is None or not may_meet(one, two):
        return None
    served = sum(1 + int(min(it.waiting, 1800) / 10) for it in (one, two))
    return served, -((SYSTEM.win_probability(one.rating, two.rating, points) - 0.5) ** 2)


def total(pairs: Iterable[Pair]) -> Total:
    found = [counts(pair.one, pair.two) for pair in pairs]
    assert None not in found
    return sum(it[0] for it in found if it), sum(it[1] for it in found if it)


def best(tickets: Sequence[Ticket]) -> Total:
    """The best total of all ways to pair the tickets."""

    @cache
    def of(left: tuple[int, ...]) -> Total:
        if len(left) < 2:
            return 0, 0.0
        first, *rest = left
        ways = [of(tuple(rest))]
        for other in rest:
            if (own := counts(tickets[first], tickets[other])) is not None:
                more = of(tuple(it for it in rest if it != other))
                ways.append((own[0] + more[0], own[1] + more[1]))
        return max(ways)

    return of(tuple(range(len(tickets))))
