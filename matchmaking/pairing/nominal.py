"""What pairing goes by where a rating system has no win probability."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from matchmaking.pairing.types import System

SCALE = 400
"""Points by which somebody is reckoned to win ten times as often, as in chess."""


class MaybeWithout(Protocol):
    """A rating system that may have no win probability."""

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Nominal:
    """Elo's expected score, in place of a win probability: it brings players of like ratings together."""

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        """The chance (0 to 1) to reckon with, at any match length."""
        exponent = min(max(float(opponent - rating) / SCALE, -300.0), 300.0)
        return float(1 / (1 + 10**exponent))


@dataclass(frozen=True, slots=True)
class _Own:
    system: MaybeWithout

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float:
        chance = self.system.win_probability(rating, opponent, match_length)
        assert chance is not None
        return chance


def has_win_probability(system: MaybeWithout) -> bool:
    """Whether the system says how likely somebody wins."""
    return system.win_probability(Decimal(0), Decimal(0), 1) is not None


def for_pairing(system: MaybeWithout) -> System:
    """The system as pairing asks it: its own win probability, or the nominal one."""
    return _Own(system) if has_win_probability(system) else Nominal()
