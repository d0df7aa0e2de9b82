"""A fixed counter: the same number of points for each win, and for each loss, against every opponent.

Leaving a match costs more than losing it, and a rating never falls below the floor::

    winner  + win
    loser   - loss, and - leaving as well if they abandoned the match, but not below the floor
    draw      0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import ClassVar, TypedDict

from ladder.rules.match_life import Ending
from ladder.rules.systems.each_side import EachSide, explain_after, moved
from ladder.rules.systems.system import Change, Match, Player, Score


class CounterBasis(TypedDict):
    """The basis of a change: whom the player met, and how the match ended for the loser."""

    opponent_rating: str
    ending: str


@dataclass(frozen=True, slots=True)
class Counter(EachSide):
    """The points of one counter. All of them are positive, or 0; ``leaving`` comes on top of ``loss``."""

    needs: ClassVar[frozenset[str]] = frozenset()
    basis: ClassVar[type] = CounterBasis

    win: int
    loss: int
    leaving: int
    floor: int = 0

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """The points by name."""
        return asdict(self)

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> None:
        """A counter says nothing about the chance to win."""

    def multiplier(self, player: Player) -> float:
        """Everybody's rating moves at the same pace."""
        return 1.0

    def change(self, player: Player, opponent: Player, score: Score, match: Match) -> Change:
        """What the match does to ``player``."""
        basis = CounterBasis(opponent_rating=str(opponent.rating), ending=str(match.ending))
        return moved(player, match, self._points(player, score, match), basis)

    def _points(self, player: Player, score: Score, match: Match) -> Decimal:
        if score is Score.WIN:
            return Decimal(self.win)
        if score is Score.DRAW:
            return Decimal(0)
        cost = self.loss + (self.leaving if match.ending is Ending.ABANDONED else 0)
        return -min(Decimal(cost), max(player.rating - self.floor, Decimal(0)))

    def formula(self) -> dict[str, str]:
        """The points for each result."""
        return {
            "delta": f"win: +{self.win}; draw: 0; loss: -min({self.loss}, max(rating - {self.floor}, 0)); "
            f"leaving: -min({self.loss} + {self.leaving}, max(rating - {self.floor}, 0))"
        }

    def explain(self, change: Change, player: Player, opponent: Player, score: Score, match: Match) -> dict[str, str]:
        """The points with their numbers, e.g. ``-min(20 + 15, max(812.00 - 0, 0)) = -35.00``."""
        cost = f"{self.loss} + {self.leaving}" if match.ending is Ending.ABANDONED else f"{self.loss}"
        points = {
            Score.WIN: f"+{self.win}",
            Score.DRAW: "0",
            Score.LOSS: f"-min({cost}, max({player.rating} - {self.floor}, 0))",
        }
        return {"delta": f"{points[score]} = {change.delta:+}", "after": explain_after(change)}
