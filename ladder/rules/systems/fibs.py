"""The FIBS rating system.

Source: the rating formula of the First Internet Backgammon Server (1992), as published in its help page and by
clubs since. For a match of length ``n`` between the ratings ``r_w`` (winner) and ``r_l`` (loser)::

    P_w   = 1 / (1 + 10 ** ((r_l - r_w) * sqrt(n) / 2000))    win probability of the eventual winner
    K(e)  = max(1, 5 - (e + n) / 100)                         own experience e before the match, this match counted
    delta = min(cap, stake * sqrt(n) * (1 - P_w) * K(e))      the winner gains their delta, the loser loses theirs

The experience of both grows by ``n``. K is each player's own, so while either is new the two deltas differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from math import sqrt
from typing import ClassVar

from ladder.rules.rounding import to_cents
from ladder.rules.systems.each_side import EachSide, explain_after, moved
from ladder.rules.systems.logistic import logistic
from ladder.rules.systems.system import Change, Expectation, Match, Player, Score


@dataclass(frozen=True, slots=True)
class Fibs(EachSide):
    """The constants of one FIBS variant.

    ``stake`` is in points, ``cap`` the most one match moves one player (``None``: no limit). K starts at ``k_start``
    and falls by 1 per ``k_points`` points of experience until ``k_floor``; equal start and floor make K flat.
    """

    has_draws: ClassVar[bool] = False
    basis: ClassVar[type] = Expectation

    stake: int
    cap: int | None
    k_start: int = 5
    k_floor: int = 1
    k_points: int = 100
    scale: int = 2000

    @property
    def needs(self) -> frozenset[str]:
        """K falls with experience, unless it is flat."""
        return frozenset() if self._is_flat else frozenset({"experience"})

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """The constants by name."""
        return asdict(self)

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The chance (0 to 1) that a player rated ``rating`` beats ``opponent`` over ``match_length`` points."""
        return logistic(float(opponent - rating) * sqrt(match_length) / self.scale)

    def k(self, experience: int, match_length: int) -> Decimal:
        """The multiplier for a player who brings ``experience`` points into a match of ``match_length``."""
        falling = self.k_start - Decimal(experience + match_length) / self.k_points
        return max(Decimal(self.k_floor), falling)

    def multiplier(self, player: Player) -> float:
        """K in a match over 1 point, against the K of somebody established."""
        return float(self.k(player.experience, 1) / self.k_floor)

    def change(self, player: Player, opponent: Player, score: Score, match: Match) -> Change:
        """What the match does to ``player``: a winner gains, a loser loses, each by their own K."""
        winner, loser = (player, opponent) if score is Score.WIN else (opponent, player)
        winner_probability = self.win_probability(winner.rating, loser.rating, match.length)
        k = self.k(player.experience, match.length)
        points = self.stake * sqrt(match.length) * (1 - winner_probability) * float(k)
        delta = to_cents(points if self.cap is None else min(float(self.cap), points))
        return moved(
            player,
            match,
            delta if score is Score.WIN else -delta,
            Expectation(
                win_probability=self.win_probability(player.rating, opponent.rating, match.length),
                k=str(k),
                opponent_rating=str(opponent.rating),
            ),
        )

    def formula(self) -> dict[str, str]:
        """P for the eventual winner, K for each player, and the points won or lost."""
        k = f"max({self.k_floor}, {self.k_start} - (experience + length) / {self.k_points})"
        points = f"{self.stake} × √length × (1 - P) × K"
        return {
            "winner_probability": f"P = 1 / (1 + 10^((loser - winner) × √length / {self.scale}))",
            "k": f"K = {self.k_floor if self._is_flat else k}",
            "delta": f"±{points}" if self.cap is None else f"±min({self.cap}, {points})",
        }

    def explain(self, change: Change, player: Player, opponent: Player, score: Score, match: Match) -> dict[str, str]:
        """The formula with its numbers, e.g. ``+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27``."""
        winner, loser = (player, opponent) if score is Score.WIN else (opponent, player)
        probability = f"{self.win_probability(winner.rating, loser.rating, match.length):.6f}"
        exponent = f"({loser.rating} - {winner.rating}) × √{match.length} / {self.scale}"
        k = f"{self.k(player.experience, match.length):.2f}"
        falling = f"{self.k_start} - ({player.experience} + {match.length}) / {self.k_points}"
        points = f"{self.stake} × √{match.length} × (1 - {probability}) × {k}"
        sign = "+" if score is Score.WIN else "-"
        return {
            "winner_probability": f"1 / (1 + 10^({exponent})) = {probability}",
            "k": k if self._is_flat else f"max({self.k_floor}, {falling}) = {k}",
            "delta": f"{sign}{points if self.cap is None else f'min({self.cap}, {points})'}"
            f" = {sign}{abs(change.delta)}",
            "after": explain_after(change),
        }

    @property
    def _is_flat(self) -> bool:
        return self.k_start == self.k_floor
