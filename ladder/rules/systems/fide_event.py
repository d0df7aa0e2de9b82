"""A whole event under the chess federation's rules: what it moves, and how well somebody played in it.

Source: FIDE Handbook B.02, Rating Regulations, paragraph 8.3 (the sum of the differences from expectation, times K);
for the performance the linear approximation that is known as the algorithm of 400.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from ladder.rules.rounding import CENT, to_cents
from ladder.rules.systems.fide import Fide
from ladder.rules.systems.system import Player, Score

Result = tuple[Decimal, Score]
"""One game of an event: the opponent's rating, and what the player made of it."""


def event_points(system: Fide, player: Player, results: Sequence[Result]) -> Decimal:
    """What an event moves, in points: the player's K before it, once for the sum of ``score - expected``.

    Rounded to 0.01 once, at the end. An event without a result moves nothing.
    """
    surplus = sum(score.value - system.expected(player.rating, opponent) for opponent, score in results)
    return to_cents(system.k_of(player) * surplus)


def performance(results: Sequence[Result]) -> Decimal:
    """The rating that somebody played like: the opponents' mean + 400 × (wins - losses) / games, rounded to 0.01.

    Raises ``ValueError`` when there is no result.
    """
    if not results:
        raise ValueError("a performance needs at least one result")
    total = sum(opponent + 400 * Decimal(2 * score.value - 1) for opponent, score in results)
    return (Decimal(total) / len(results)).quantize(CENT)
