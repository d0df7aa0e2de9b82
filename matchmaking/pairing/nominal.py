"""The win probability for pairing, if the rating system has none."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from matchmaking.pairing.types import System

SCALE = 400
"""The difference in points at which the chances are 10 to 1, as in chess."""


class OptionalProbability(Protocol):
    """A rating system that may have no win probability."""

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Nominal:
    """Elo's expected score as a win probability. So players with similar ratings are paired."""

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The win probability (0 to 1), the same for all match lengths."""
        exponent = min(max(float(opponent - rating) / SCALE, -300.0), 300.0)
        return float(1 / (1 + 10**exponent))


@dataclass(frozen=True, slots=True)
class _Own:
    system: OptionalProbability

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        chance = self.system.win_probability(rating, opponent, match_length)
        assert chance is not None
        return chance


def has_win_probability(system: OptionalProbability) -> bool:
    """Whether the system has a win probability."""
    return system.win_probability(Decimal(0), Decimal(0), 1) is not None


def for_pairing(system: OptionalProbability) -> System:
    """The system for pairing: with its own win probability or the nominal one."""
    return _Own(system) if has_win_probability(system) else Nominal()
