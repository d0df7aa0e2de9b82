"""What all systems do alike, so that each system's file holds its rule and nothing else.

A system is written for one side of a match: :meth:`EachSide.change` says what becomes of a player. This file checks
the match, asks for both sides, and puts the numbers into a :class:`~ladder.rules.systems.system.Change`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import Decimal
from typing import ClassVar

from ladder.rules.match_length import check_match_length
from ladder.rules.rounding import CENT
from ladder.rules.systems.system import Basis, Change, Match, Player, Score


class EachSide(ABC):
    """A system that works out each side of a match by itself, from both players and the side's own score."""

    __slots__ = ()

    has_draws: ClassVar[bool] = True

    def settle(self, one: Player, two: Player, score: Score, match: Match) -> tuple[Change, Change]:
        """What the match does to both, the changes in the order of the players; ``score`` is that of ``one``.

        Raises ``ValueError`` for a match length outside 1 to 99, and for a draw in a system without draws.
        """
        check_match_length(match.length)
        if score is Score.DRAW and not self.has_draws:
            raise ValueError("this rating system has no draws")
        return self.change(one, two, score, match), self.change(two, one, score.opposite, match)

    @abstractmethod
    def change(self, player: Player, opponent: Player, score: Score, match: Match) -> Change:
        """What a match, already checked, does to ``player``, who made ``score`` of it."""


def moved(player: Player, match: Match, delta: Decimal, basis: Basis, memory: Basis | None = None) -> Change:
    """The change of a player whose rating moves by ``delta`` points and whose experience grows by the match length."""
    # Adding zero makes 0.00 of -0.00.
    delta = delta.quantize(CENT) + 0
    return Change(
        before=player.rating,
        delta=delta,
        after=player.rating + delta,
        experience_before=player.experience,
        experience_after=player.experience + match.length,
        basis=basis,
        memory={} if memory is None else memory,
    )


def explain_after(change: Change) -> str:
    """The last step of every explanation, e.g. ``600.00 + 44.27 = 644.27``."""
    sign = "-" if change.delta < 0 else "+"
    return f"{change.before} {sign} {abs(change.delta)} = {change.after}"
