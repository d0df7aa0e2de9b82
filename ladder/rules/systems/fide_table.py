"""The rating system of the International Chess Federation (FIDE), by its published table.

Source: FIDE Handbook B.02, Rating Regulations, table 8.1.2 (expected scores) and paragraph 8.3.1 (the cap). The
federation does not work the expected score out: it reads it, in hundredths, from a table by the difference of the
ratings. Since October 2025 the difference is cut to 400 only for players below 2650; for the others the true
difference counts, and above 735 points the higher rated is expected to win always. So the two sides of a game can
be settled with expectations that do not add up to 1.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from ladder.rules.rounding import whole_points
from ladder.rules.systems.fide import Fide

HIGHEST_DIFFERENCES = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,  # 0.50 to 0.59
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,  # 0.60 to 0.69
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,  # 0.70 to 0.79
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,  # 0.80 to 0.89
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,  # 0.90 to 0.99
)  # fmt: skip
"""The largest difference of each band, in whole points; the higher rated is expected to score 0.50 in the first."""


def table(difference: Decimal) -> float:
    """The expected score (0 to 1) of a player who stands ``difference`` points above the opponent (or below: minus).

    The table knows whole points only: the size of the difference is rounded half up.
    """
    hundredths = 50 + bisect_left(HIGHEST_DIFFERENCES, whole_points(abs(difference)))
    return (hundredths if difference >= 0 else 100 - hundredths) / 100


@dataclass(frozen=True, slots=True)
class FideTable(Fide):
    """The federation's constants with the table. From ``uncapped_rating`` on, the true difference counts."""

    printed_places: ClassVar[int] = 2

    uncapped_rating: int = 2650

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The expected score (0 to 1) by the table, the difference always cut to 400; over any match length."""
        return table(self.cut(rating - opponent))

    def expected(self, rating: Decimal, opponent: Decimal) -> float:
        """The expected score (0 to 1) that a game is settled with: the cut depends on the player's own rating."""
        difference = rating - opponent
        return table(difference if rating >= self.uncapped_rating else self.cut(difference))

    def _expected_formula(self) -> str:
        return (
            f"E = table(rating - opponent) if rating ≥ {self.uncapped_rating}; "
            f"else table(max(-{self.cap}, min({self.cap}, rating - opponent)))"
        )

    def _expected_steps(self, rating: Decimal, opponent: Decimal) -> str:
        difference = f"{rating} - {opponent}"
        if rating >= self.uncapped_rating:
            return f"table({difference})"
        return f"table(max(-{self.cap}, min({self.cap}, {difference})))"
