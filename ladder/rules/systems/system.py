"""What a rating system must answer, and the values it takes and gives.

Each system is one file beside this one, and is named in ``rule_sets``.

Values in, values out: no system knows Django, the database or the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any, Protocol, TypedDict

from ladder.rules.match_life import Ending

Basis = Mapping[str, Any]
"""Numbers behind a change, as JSON: strings for decimals, plain numbers for everything else."""


class Expectation(TypedDict):
    """The basis of a change in a system that expects a score: the player's own expected score and K."""

    win_probability: float
    k: str
    opponent_rating: str


class Score(Enum):
    """What a player made of a match. Backgammon matches have no draws; some systems know them all the same."""

    WIN = 1.0
    DRAW = 0.5
    LOSS = 0.0

    @property
    def opposite(self) -> Score:
        """The opponent's score."""
        return Score(1 - self.value)


@dataclass(frozen=True, slots=True)
class Player:
    """A player as they stood when a match was settled; a system reads of it what it needs.

    ``rating`` and ``peak`` (the highest rating so far) are in points, ``experience`` in match points; ``games`` counts
    settled matches. ``is_junior``: until the end of the year in which the player turns 18. ``memory`` is what the
    system noted of the player at their last settled match (:attr:`Change.memory`); empty before the first.
    """

    rating: Decimal
    experience: int = 0
    games: int = 0
    peak: Decimal | None = None
    is_junior: bool = False
    memory: Basis = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """What a system may need to know of a match: its length in points, and how it ended for the loser."""

    length: int
    ending: Ending = Ending.PLAYED


@dataclass(frozen=True, slots=True)
class Change:
    """What one match does to one player. ``after == before + delta`` holds exactly; ratings and delta are in points.

    ``basis`` keeps the numbers behind ``delta`` that a person is shown and that a check recomputes. Three of its names
    mean the same in every system that uses them: ``opponent_rating`` (points, a string), ``win_probability`` (the
    player's own expected score, 0 to 1) and ``k`` (the player's own K, a string). ``memory`` is what the system must
    know of the player at the next match, beside what :class:`Player` says anyway.
    """

    before: Decimal
    delta: Decimal
    after: Decimal
    experience_before: int
    experience_after: int
    basis: Basis = field(default_factory=dict)
    memory: Basis = field(default_factory=dict)


class System(Protocol):
    """A rating system with its constants. Two systems with equal constants are equal and have the same hash."""

    @property
    def has_draws(self) -> bool:
        """Whether a match can be drawn."""
        ...

    @property
    def basis(self) -> type:
        """The typed dictionary that the basis of each change is."""
        ...

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """The constants under their names in the field, for a person to read; ``None``: no such limit."""
        ...

    @property
    def needs(self) -> frozenset[str]:
        """The fields of :class:`Player` that a change depends on, beside ``rating``."""
        ...

    def win_probability(self, rating: Decimal, opponent: Decimal, match_length: int) -> float | None:
        """The chance (0 to 1) that a player rated ``rating`` beats ``opponent`` over so many points.

        It depends on the difference of the ratings alone and never falls as that grows. ``None``: the system has no
        such number.
        """
        ...

    def multiplier(self, player: Player) -> float:
        """How much faster than an established player's this player's rating moves now: 1 or more."""
        ...

    def settle(self, one: Player, two: Player, score: Score, match: Match) -> tuple[Change, Change]:
        """What the match does to both, the changes in the order of the players; ``score`` is that of ``one``.

        Raises ``ValueError`` for a match length outside 1 to 99, and for a draw in a system without draws.
        """
        ...

    def formula(self) -> dict[str, str]:
        """The system's formulas without numbers, by the name of the step: those of :meth:`explain` before ``after``."""
        ...

    def explain(self, change: Change, player: Player, opponent: Player, score: Score, match: Match) -> dict[str, str]:
        """The steps that lead to a change of ``player``, by name, each a formula with its numbers filled in.

        The step ``delta`` ends with the points won or lost; the last one is ``after`` and ends with the new rating.
        """
        ...
