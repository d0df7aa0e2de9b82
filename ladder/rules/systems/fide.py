"""The rating system of the International Chess Federation (FIDE), by its formula.

Source: FIDE Handbook B.02, Rating Regulations, chapter 8. The expected score and the change are Elo's::

    E     = 1 / (1 + 10 ** (d / 400))     d = opponent - own rating, cut to -400 .. 400
    delta = K * (S - E)

K is each player's own: 40 for somebody with fewer than 30 games, 10 for ever once they have reached 2400, 40 for a
junior below 2300, and 20 for everybody else. The first that fits counts.

Each match is settled alone. How an event is settled as one sum is said in ``fide_event``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import ClassVar

from ladder.rules.rounding import to_cents
from ladder.rules.systems.each_side import EachSide, explain_after, moved
from ladder.rules.systems.logistic import logistic
from ladder.rules.systems.system import Change, Expectation, Match, Player, Score


@dataclass(frozen=True, slots=True)
class Fide(EachSide):
    """The federation's constants, as they have stood since 2014. Ratings and differences are in points."""

    needs: ClassVar[frozenset[str]] = frozenset({"games", "peak", "is_junior"})
    basis: ClassVar[type] = Expectation
    printed_places: ClassVar[int] = 6

    k_new: int = 40
    new_games: int = 30
    k_master: int = 10
    master_rating: int = 2400
    k_junior: int = 40
    junior_rating: int = 2300
    k: int = 20
    scale: int = 400
    cap: int = 400

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """The constants by name."""
        return asdict(self)

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The expected score (0 to 1) of a player rated ``rating``, over any match length."""
        return logistic(float(self.cut(opponent - rating)) / self.scale)

    def cut(self, difference: Decimal) -> Decimal:
        """A difference of ratings, no larger than the cap in either direction."""
        return min(max(difference, Decimal(-self.cap)), Decimal(self.cap))

    def expected(self, rating: Decimal, opponent: Decimal) -> float:
        """The expected score (0 to 1) that a game is settled with."""
        return self.win_probability(rating, opponent, 1)

    def k_of(self, player: Player) -> int:
        """The player's K, in points."""
        return self._k_and_why(player)[0]

    def multiplier(self, player: Player) -> float:
        """K against the usual K of 20; 1 for those whose K is lower."""
        return max(1.0, self.k_of(player) / self.k)

    def change(self, player: Player, opponent: Player, score: Score, match: Match) -> Change:
        """What the match does to ``player``: their K for what they scored beyond what was expected."""
        expected, k = self.expected(player.rating, opponent.rating), self.k_of(player)
        return moved(
            player,
            match,
            to_cents(k * (score.value - expected)),
            Expectation(win_probability=expected, k=str(k), opponent_rating=str(opponent.rating)),
        )

    def formula(self) -> dict[str, str]:
        """The expected score E, K, and the points won or lost for a score S."""
        return {
            "expected": self._expected_formula(),
            "k": f"K = {self.k_new} if games < {self.new_games}; else {self.k_master} if peak ≥ {self.master_rating}; "
            f"else {self.k_junior} if junior and rating < {self.junior_rating}; else {self.k}",
            "delta": "K × (S - E)",
        }

    def explain(self, change: Change, player: Player, opponent: Player, score: Score, match: Match) -> dict[str, str]:
        """The formula with its numbers, e.g. ``40 × (1 - 0.090909) = +36.36``."""
        k, why = self._k_and_why(player)
        expected = f"{self.expected(player.rating, opponent.rating):.{self.printed_places}f}"
        return {
            "expected": f"{self._expected_steps(player.rating, opponent.rating)} = {expected}",
            "k": f"{why}: {k}",
            "delta": f"{k} × ({score.value:g} - {expected}) = {change.delta:+}",
            "after": explain_after(change),
        }

    def _k_and_why(self, player: Player) -> tuple[int, str]:
        peak = player.rating if player.peak is None else max(player.rating, player.peak)
        if player.games < self.new_games:
            return self.k_new, f"games {player.games} < {self.new_games}"
        if peak >= self.master_rating:
            return self.k_master, f"peak {peak} ≥ {self.master_rating}"
        if player.is_junior and player.rating < self.junior_rating:
            return self.k_junior, f"junior, {player.rating} < {self.junior_rating}"
        return self.k, f"games {player.games} ≥ {self.new_games}, peak {peak} < {self.master_rating}"

    def _expected_formula(self) -> str:
        difference = f"max(-{self.cap}, min({self.cap}, opponent - rating))"
        return f"E = 1 / (1 + 10^({difference} / {self.scale}))"

    def _expected_steps(self, rating: Decimal, opponent: Decimal) -> str:
        difference = f"max(-{self.cap}, min({self.cap}, {opponent} - {rating}))"
        return f"1 / (1 + 10^({difference} / {self.scale}))"
