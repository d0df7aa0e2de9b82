"""Standings that a transaction has locked, always by ascending id (docs/locking.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from common import sql
from ladder.models import Standing
from ladder.services.ledger.standing_state import FIELDS, StandingState, state_from_ledger


@dataclass(slots=True, kw_only=True)
class LockedStanding(StandingState):
    """A standing that this transaction has locked. ``birth_year`` is that of the player, if it is known."""

    id: int
    ladder_id: int
    player_id: int
    birth_year: int | None

    def as_row(self) -> Standing:
        """The standing as a model instance for the foreign key of an entry. It has only the ids."""
        return Standing(id=self.id, ladder_id=self.ladder_id, player_id=self.player_id)


Key = tuple[int, int]
"""Ladder id and player id."""

# The columns that a statement reads of the standings ``s`` and the accounts ``p``.
COLUMNS = ", ".join([*(f"s.{name}" for name in (*FIELDS, "id", "ladder_id", "player_id")), "p.birth_year"])
_NAMES = (*FIELDS, "id", "ladder_id", "player_id", "birth_year")

_LOCK = f"""
    SELECT {COLUMNS} FROM ladder_standing s JOIN accounts_user p ON p.id = s.player_id
    WHERE s.ladder_id = ANY(%s) AND s.player_id = ANY(%s)
    ORDER BY s.id
    FOR UPDATE OF s
"""


def lock_standings(ladder_ids: Sequence[int], player_ids: Sequence[int]) -> dict[Key, LockedStanding]:
    """Lock the existing standings of these players on these ladders."""
    return from_rows(sql.query(_LOCK, (list(ladder_ids), list(player_ids))))


def from_rows(rows: Iterable[tuple[Any, ...]]) -> dict[Key, LockedStanding]:
    """Locked standings from rows of :data:`COLUMNS`."""
    found = {}
    for row in rows:
        values = dict(zip(_NAMES, row, strict=True))
        # psycopg returns JSON as text here, because Django turns off its own decoding.
        values["memory"] = json.loads(values["memory"])
        standing = LockedStanding(**values)
        found[standing.ladder_id, standing.player_id] = standing
    return found


def rebuild(locked: LockedStanding) -> None:
    """Compute a locked standing again from its entries, in memory."""
    standing = Standing.objects.select_related("ladder").get(pk=locked.id)
    state = state_from_ledger(standing, standing.ladder.rules.start)
    for name in FIELDS:
        setattr(locked, name, getattr(state, name))
