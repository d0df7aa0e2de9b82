"""The data of a simulation, for its summary and its charts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from accounts.models import User
from ladder.models import Ladder
from matchmaking.simulation.population import Person


@dataclass(frozen=True, slots=True)
class Game:
    """A ranked match: the predicted win probability of player one, and the result.

    ``waited`` are the waiting times of the players, in seconds.
    """

    predicted: float
    one_won: bool
    match_length: int
    waited: tuple[float, float]

    @property
    def unfairness(self) -> float:
        """The distance of the win probability from 0.5."""
        return abs(self.predicted - 0.5)


@dataclass(slots=True)
class Record:
    """The players, their matches, the sizes of the tiers each morning, and the numbers of offers by outcome.

    ``charged`` is the number of decay entries, and ``moderator`` the account that ruled the disputes.
    """

    ladder: Ladder
    moderator: User
    people: list[Person]
    games: list[Game] = field(default_factory=list)
    tiers: dict[date, Counter[str]] = field(default_factory=dict)
    offers: Counter[str] = field(default_factory=Counter)
    gave_up: int = 0
    charged: int = 0
