"""Standings whose rows a transaction holds, always locked by ascending id (docs/locking.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from common import sql
from ladder.models import Standing
from ladder.services.ledger.facts import FIELDS, Facts, facts_from_ledger


@dataclass(slots=True, kw_only=True)
class LockedStanding(Facts):
    """A standing whose row this transaction holds. ``birth_year`` is its player's, where it is known."""

    id: int
    ladder_id: int
    player_id: int
    birth_year: int | None

    def as_row(self) -> Standing:
        """The standing as a model, for an entry to refer to; it has no other fields than its ids."""
        return Standing(id=self.id, ladder_id=self.ladder_id, player_id=self.player_id)


Key = tuple[int, int]
"""The ladder's id and the player's."""

# What a statement that locks standings ``s`` of accounts ``p`` reads of them.
COLUMNS = ", ".join([*(f"s.{name}" for name in (*FIELDS, "id", "ladder_id", "player_id")), "p.birth_year"])
_NAMES = (*FIELDS, "id", "ladder_id", "player_id", "birth_year")

_LOCK = f"""
    SELECT {COLUMNS} FROM ladder_standing s JOIN accounts_user p ON p.id = s.player_id
    WHERE s.ladder_id = ANY(%s) AND s.player_id = ANY(%s)
    ORDER BY s.id
    FOR UPDATE OF s
"""


def lock_standings(ladder_ids: Sequence[int], player_ids: Sequence[int]) -> dict[Key, LockedStanding]:
    """Lock the standings of these players on these ladders, as far as they exist."""
    return from_rows(sql.query(_LOCK, (list(ladder_ids), list(player_ids))))


def from_rows(rows: Iterable[tuple[Any, ...]]) -> dict[Key, LockedStanding]:
    """Locked standings from what a statement read as :data:`COLUMNS`."""
    found = {}
    for row in rows:
        values = dict(zip(_NAMES, row, strict=True))
        # Django leaves JSON to its own fields, and this is read beside them.
        values["memory"] = json.loads(values["memory"])
        standing = LockedStanding(**values)
        found[standing.ladder_id, standing.player_id] = standing
    return found


def rebuild(held: LockedStanding) -> None:
    """Work a locked standing out anew from its entries, in memory."""
    standing = Standing.objects.select_related("ladder").get(pk=held.id)
    facts = facts_from_ledger(standing, standing.ladder.rules.start)
    for name in FIELDS:
        setattr(held, name, getattr(facts, name))
