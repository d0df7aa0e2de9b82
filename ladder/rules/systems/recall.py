"""A player as the ledger keeps them, so that every change can be worked out again for ever.

An entry holds rating and experience in columns of their own. What else its system read of the player is noted here
as JSON.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypedDict

from ladder.rules.systems.system import Basis, Player, System

PLAYER = "player"
"""Under this name an entry's basis keeps what its system read of the player, as :func:`noted` gives it."""
MEMORY = "memory"
"""Under this name it keeps what the system must know of the player at the next match."""


class Noted(TypedDict, total=False):
    """What a system read of a player beside rating and experience, by the names of ``Player``."""

    games: int
    peak: str | None
    is_junior: bool
    memory: dict[str, Any]


def noted(player: Player, system: System) -> dict[str, Any]:
    """What ``system`` reads of the player beside rating and experience, as JSON, by the names of :class:`Player`."""
    fields = {
        "games": player.games,
        "peak": None if player.peak is None else str(player.peak),
        "is_junior": player.is_junior,
        "memory": dict(player.memory),
    }
    return {name: value for name, value in fields.items() if name in system.needs}


def recall(rating: Decimal, experience: int, noted: Basis) -> Player:
    """The player of whom :func:`noted` was taken, for the system that it was taken for.

    What that system does not read is as in a new player.
    """
    fields = dict(noted)
    if fields.get("peak") is not None:
        fields["peak"] = Decimal(fields["peak"])
    return Player(rating=rating, experience=experience, **fields)
