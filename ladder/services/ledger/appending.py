"""Writing ledger entries and updating their standings.

Decay has statements of its own (``ladder.services.decay.statements``). Constraints and triggers of the database check
all entries (``ladder.models.rating_entry``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg.types.json import Jsonb

from common import sql
from ladder.models import RatingEntry
from ladder.services.ledger.locking import LockedStanding, rebuild
from ladder.services.ledger.standing_state import FIELDS

_ENTRY = {
    "standing_id": "bigint", "sequence": "int", "kind": "text", "match_id": "uuid", "before": "numeric",
    "delta": "numeric", "after": "numeric", "experience_before": "int", "experience_after": "int", "won": "bool",
    "basis": "jsonb", "rule_set": "text", "rule_set_version": "smallint", "reverses_id": "bigint",
    "follows_id": "bigint", "actor_id": "bigint", "reason": "text", "created_at": "timestamptz",
}  # fmt: skip
_STANDING = {
    "id": "bigint", "rating": "numeric", "peak_rating": "numeric", "experience": "int", "wins": "int", "losses": "int",
    "streak": "int", "last_sequence": "int", "last_ranked_at": "timestamptz", "decayed_through": "date",
    "memory": "jsonb",
}  # fmt: skip
_JSON = {"basis", "memory"}


def _columns(name: str, types: Mapping[str, str]) -> str:
    arrays = ", ".join(f"%({name}_{column})s::{kind}[]" for column, kind in types.items())
    return f"unnest({arrays}) AS {name} ({', '.join(types)})"


UPDATE_STANDINGS = f"""
    updated AS (
        UPDATE ladder_standing s SET {", ".join(f"{name} = standing.{name}" for name in FIELDS)}
        FROM {_columns("standing", _STANDING)} WHERE s.id = standing.id
    )
"""
INSERT_ENTRIES = f"""
    inserted AS (
        INSERT INTO ladder_ratingentry ({", ".join(_ENTRY)})
        SELECT {", ".join(_ENTRY)} FROM {_columns("entry", _ENTRY)}
        RETURNING id, standing_id, sequence
    )
"""
_APPEND = f"WITH {UPDATE_STANDINGS}, {INSERT_ENTRIES} SELECT id, standing_id, sequence FROM inserted"


def append(entries: Sequence[RatingEntry], standings: Iterable[LockedStanding]) -> None:
    """Write these entries, which get their ids, and the values of these standings, which the caller has locked.

    Raises ``IntegrityError`` if an entry exists or does not follow the one before it.
    """
    rows = sql.query(_APPEND, parameters(entries, standings))
    ids = {(standing, sequence): entry_id for entry_id, standing, sequence in rows}
    for entry in entries:
        entry.pk = ids[entry.standing_id, entry.sequence]
        entry._state.adding = False


def parameters(entries: Sequence[RatingEntry], standings: Iterable[LockedStanding]) -> dict[str, Any]:
    """The parameters of :data:`UPDATE_STANDINGS` and :data:`INSERT_ENTRIES`."""
    return {**_arrays("entry", _ENTRY, entries), **_arrays("standing", _STANDING, list(standings))}


def reversal(entry: RatingEntry, standing: LockedStanding, **fields: Any) -> RatingEntry:
    """The exact opposite of an entry, as the next one of its standing, which is updated in memory.

    ``fields`` are ``actor``, ``reason`` and ``created_at`` of the reversal.
    """
    opposite = RatingEntry(
        standing_id=standing.id,
        sequence=standing.last_sequence + 1,
        kind=RatingEntry.Kind.REVERSAL,
        match_id=entry.match_id,
        reverses=entry,
        before=standing.rating,
        delta=-entry.delta,
        after=standing.rating - entry.delta,
        experience_before=standing.experience,
        experience_after=standing.experience - (entry.experience_after - entry.experience_before),
        rule_set=entry.rule_set,
        rule_set_version=entry.rule_set_version,
        **fields,
    )
    standing.add(opposite, finished_at=None)
    return opposite


def append_reversals(reversals: Sequence[RatingEntry], standings: Sequence[LockedStanding]) -> None:
    """Write reversals. Peak rating, record and last match are computed again without the reversed entries."""
    append(reversals, standings)
    for standing in standings:
        rebuild(standing)
    append([], standings)


def _arrays(name: str, types: Mapping[str, str], rows: Sequence[object]) -> dict[str, list[Any]]:
    def value(row: object, column: str) -> Any:
        found = getattr(row, column)
        return Jsonb(found) if column in _JSON else found

    return {f"{name}_{column}": [value(row, column) for row in rows] for column in types}
