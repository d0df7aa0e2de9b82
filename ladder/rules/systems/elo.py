"""Elo's rating system.

Source: Arpad Elo, The Rating of Chessplayers, Past and Present (1978). For the ratings ``r`` (own) and ``r_o``
(opponent) and a score ``S`` of 1 for a win, 0.5 for a draw and 0 for a loss::

    E     = 1 / (1 + 10 ** ((r_o - r) / scale))     the expected score
    delta = K * (S - E)

Here the match length plays no part. K is the same for everybody, so one player wins what the other loses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from ladder.rules.rounding import to_cents, whole_points
from ladder.rules.systems.each_side import EachSide, explain_after, moved
from ladder.rules.systems.logistic import logistic
from ladder.rules.systems.system import Change, Expectation, Match, Player, Score


@dataclass(frozen=True, slots=True)
class Elo(EachSide):
    """The constants of one Elo variant.

    ``k`` is the most that a match can move, in points. Somebody who stands ``scale`` points above is expected to score
    10 times as much. ``in_whole_points``: each change is rounded to whole points, ``floor(x + 0.5)``, so that ratings
    which are whole stay whole; otherwise to 0.01.
    """

    needs: ClassVar[frozenset[str]] = frozenset()
    basis: ClassVar[type] = Expectation

    k: int
    scale: int = 400
    in_whole_points: bool = False

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """K and the scale."""
        return {"k": self.k, "scale": self.scale}

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The expected score (0 to 1) of a player rated ``rating``, over any match length."""
        return logistic(float(opponent - rating) / self.scale)

    def multiplier(self, player: Player) -> float:
        """Everybody's rating moves at the same pace."""
        return 1.0

    def change(self, player: Player, opponent: Player, score: Score, match: Match) -> Change:
        """What the match does to ``player``: K for each point they scored beyond what was expected."""
        expected = self.win_probability(player.rating, opponent.rating, match.length)
        points = self.k * (score.value - expected)
        return moved(
            player,
            match,
            Decimal(whole_points(Decimal(points))) if self.in_whole_points else to_cents(points),
            Expectation(win_probability=expected, k=str(self.k), opponent_rating=str(opponent.rating)),
        )

    def formula(self) -> dict[str, str]:
        """The expected score E, K, and the points won or lost for a score S."""
        points = "K × (S - E)"
        return {
            "expected": f"E = 1 / (1 + 10^((opponent - rating) / {self.scale}))",
            "k": f"K = {self.k}",
            "delta": f"floor({points} + 0.5)" if self.in_whole_points else points,
        }

    def explain(self, change: Change, player: Player, opponent: Player, score: Score, match: Match) -> dict[str, str]:
        """The formula with its numbers, e.g. ``32 × (1 - 0.359935) = +20.48``."""
        expected = f"{self.win_probability(player.rating, opponent.rating, match.length):.6f}"
        points = f"{self.k} × ({score.value:g} - {expected})"
        return {
            "expected": f"1 / (1 + 10^(({opponent.rating} - {player.rating}) / {self.scale})) = {expected}",
            "k": f"{self.k}",
            "delta": f"{f'floor({points} + 0.5)' if self.in_whole_points else points} = {change.delta:+}",
            "after": explain_after(change),
        }
