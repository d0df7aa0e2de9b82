"""What is kept of a simulation, for those who draw."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from accounts.models import User
from ladder.models import Ladder
from matchmaking.simulation.population import Person


@dataclass(frozen=True, slots=True)
class Game:
    """A ranked match that was played: what the system foretold of player one, and what came.

    ``waited`` is how long each player had waited when it was offered, in seconds.
    """

    predicted: float
    one_won: bool
    match_length: int
    waited: tuple[float, float]

    @property
    def unfairness(self) -> float:
        """How far the chances were from even, as a probability."""
        return abs(self.predicted - 0.5)


@dataclass(slots=True)
class Record:
    """The people, their games, the sizes of the tiers each morning, and how many offers came to what.

    ``charged`` is how often decay took points from somebody, ``moderator`` who ruled the disputes.
    """

    ladder: Ladder
    moderator: User
    people: list[Person]
    games: list[Game] = field(default_factory=list)
    tiers: dict[date, Counter[str]] = field(default_factory=dict)
    offers: Counter[str] = field(default_factory=Counter)
    gave_up: int = 0
    charged: int = 0
