"""The FIBS rating system.

Source: the rating formula of the First Internet Backgammon Server (1992), as published in its help page and by
clubs since. For a match of length ``n`` between the ratings ``r_w`` (winner) and ``r_l`` (loser)::

    P_w   = 1 / (1 + 10 ** ((r_l - r_w) * sqrt(n) / 2000))    win probability of the eventual winner
    K(e)  = max(1, 5 - (e + n) / 100)                         own experience e before the match, this match counted
    delta = min(cap, stake * sqrt(n) * (1 - P_w) * K(e))      the winner gains his delta, the loser loses his

The experience of both grows by ``n``. K is each player's own, so while either is new the two deltas differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import sqrt

from ladder.rules.types import Change, Player, Settlement, to_cents

MIN_MATCH_LENGTH = 1
MAX_MATCH_LENGTH = 99

# Beyond 10 ** 300 a float overflows, and the underdog's chance is nil long before.
_LARGEST_EXPONENT = 300.0


@dataclass(frozen=True, slots=True)
class Fibs:
    """The constants of one FIBS variant.

    ``stake`` is in points, ``cap`` the most one match moves one player (``None``: no limit). K starts at ``k_start``
    and falls by 1 per ``k_points`` points of experience until ``k_floor``; equal start and floor make K flat.
    """

    stake: int
    cap: int | None
    k_start: int = 5
    k_floor: int = 1
    k_points: int = 100
    scale: int = 2000

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The chance (0 to 1) that a player rated ``rating`` beats ``opponent`` over ``match_length`` points."""
        exponent = float(opponent - rating) * sqrt(match_length) / self.scale
        if abs(exponent) > _LARGEST_EXPONENT:
            return 0.0 if exponent > 0 else 1.0
        return 1 / (1 + 10**exponent)

    def k(self, experience: int, match_length: int) -> Decimal:
        """The multiplier for a player who brings ``experience`` points into a match of ``match_length``."""
        falling = self.k_start - Decimal(experience + match_length) / self.k_points
        return max(Decimal(self.k_floor), falling)

    def settle(self, winner: Player, loser: Player, match_length: int) -> Settlement:
        """What the match does to both players.

        Raises ``ValueError`` when the match length is not 1 to 99.
        """
        if not MIN_MATCH_LENGTH <= match_length <= MAX_MATCH_LENGTH:
            raise ValueError(f"match length must be {MIN_MATCH_LENGTH} to {MAX_MATCH_LENGTH}, not {match_length}")
        probability = self.win_probability(winner.rating, loser.rating, match_length)
        base = self.stake * sqrt(match_length) * (1 - probability)
        return Settlement(
            winner_probability=probability,
            winner=self._change(winner, base, match_length, sign=1),
            loser=self._change(loser, base, match_length, sign=-1),
        )

    def _change(self, player: Player, base: float, match_length: int, *, sign: int) -> Change:
        k = self.k(player.experience, match_length)
        points = base * float(k)
        delta = sign * to_cents(points if self.cap is None else min(float(self.cap), points))
        return Change(
            before=player.rating,
            delta=delta,
            after=player.rating + delta,
            experience_before=player.experience,
            experience_after=player.experience + match_length,
            k=k,
        )
