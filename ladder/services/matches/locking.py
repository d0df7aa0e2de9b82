"""Locking a match and its standings, always in the order of docs/locking.md.

Each function sends one statement. The returned values were read under the lock, so they do not change until the
transaction ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import User
from common import sql
from common.errors import NotFound
from ladder.models import Ladder, Match, Ruling
from ladder.rules import match_life
from ladder.rules.match_life import Seat, State
from ladder.services.ledger.locking import COLUMNS, Key, LockedStanding, from_rows, lock_standings


@dataclass(slots=True)
class LockedMatch:
    """A match that this transaction has locked, and the standings of its players if these are locked too.

    ``ladders`` are the ladder of the match and its overall ladder, if it has one.
    """

    match: Match
    ladders: list[Ladder]
    standings: dict[Key, LockedStanding] = field(default_factory=dict)

    def for_rules(self) -> match_life.Match:
        """The match as a value for ``ladder.rules.match_life``."""
        match = self.match
        seats: tuple[tuple[Seat, datetime | None, int | None], ...] = (
            (1, match.one_accepted_at, match.one_reported_winner),
            (2, match.two_accepted_at, match.two_reported_winner),
        )
        return match_life.Match(
            state=State(match.state),
            winner=None if match.winner_id is None else match.seat_of(match.winner_id),
            accepted=frozenset(seat for seat, accepted_at, _ in seats if accepted_at),
            claims=frozenset((seat, 1 if winner == 1 else 2) for seat, _, winner in seats if winner),
            void_reason=match.void_reason,
        )

    def player_id(self, seat: Seat) -> int:
        return self.match.player_one_id if seat == 1 else self.match.player_two_id


_MATCH_FIELDS = [f.attname for f in Match._meta.concrete_fields]
_MATCH_COLUMNS = ", ".join(f"m.{f.column}" for f in Match._meta.concrete_fields)
_LADDER_FIELDS = ("id", "slug", "name", "time_zone", "rule_set", "rule_set_version", "rule_options", "overall_id")
_RELATED = [
    *(f"{ladder}.{name}" for ladder in ("l", "o") for name in _LADDER_FIELDS),
    "one.username",
    "two.username",
    "r.text",
]
_RELATED_COLUMNS = ", ".join(_RELATED)
_RELATED_JOINS = """
    JOIN ladder_ladder l ON l.id = m.ladder_id
    LEFT JOIN ladder_ladder o ON o.id = l.overall_id
    LEFT JOIN ladder_ruling r ON r.id = m.ruling_id
    JOIN accounts_user one ON one.id = m.player_one_id
    JOIN accounts_user two ON two.id = m.player_two_id
"""

_LOCK_MATCH = f"""
    SELECT {_MATCH_COLUMNS}, {_RELATED_COLUMNS}
    FROM ladder_match m {_RELATED_JOINS}
    WHERE m.id = %s
    FOR UPDATE OF m
"""
# The materialised part locks the match before any standing is read.
_LOCK_MATCH_AND_STANDINGS = f"""
    WITH m AS MATERIALIZED (SELECT * FROM ladder_match WHERE id = %s AND unrated_reason IS NULL FOR UPDATE)
    SELECT {_MATCH_COLUMNS}, {_RELATED_COLUMNS}, {COLUMNS}
    FROM m {_RELATED_JOINS}
    JOIN ladder_standing s ON s.ladder_id IN (l.id, o.id) AND s.player_id IN (m.player_one_id, m.player_two_id)
    JOIN accounts_user p ON p.id = s.player_id
    ORDER BY s.id
    FOR UPDATE OF s
"""


def lock_match(match_id: UUID) -> LockedMatch:
    """Lock a match without its standings. Raises ``NotFound``."""
    rows = sql.query(_LOCK_MATCH, (match_id,))
    if not rows:
        raise NotFound("match_not_found", _("There is no such match."))
    return _locked(rows)


def lock_match_to_settle(match_id: UUID) -> LockedMatch:
    """Lock a match and, if it is rated, the standings of its two players. Raises ``NotFound``."""
    rows = sql.query(_LOCK_MATCH_AND_STANDINGS, (match_id,))
    # No rows: the match is unrated, so it has no standings to lock.
    return _locked(rows) if rows else lock_match(match_id)


def lock_standings_of_match(locked: LockedMatch) -> None:
    """Lock the standings of a match that is already locked."""
    if not locked.standings:
        match = locked.match
        ladders = [ladder.pk for ladder in locked.ladders]
        locked.standings = lock_standings(ladders, [match.player_one_id, match.player_two_id])


def _locked(rows: list[tuple[Any, ...]]) -> LockedMatch:
    match_end = len(_MATCH_FIELDS)
    related_end = match_end + len(_RELATED)
    match = Match.from_db("default", _MATCH_FIELDS, rows[0][:match_end])
    related = rows[0][match_end:related_end]
    *ladders, one, two, ruling = related
    own, overall = ladders[: len(_LADDER_FIELDS)], ladders[len(_LADDER_FIELDS) :]
    match.ladder = _ladder(own)
    match.player_one = User(id=match.player_one_id, username=one)
    match.player_two = User(id=match.player_two_id, username=two)
    if match.ruling_id is not None:
        match.ruling = Ruling(id=match.ruling_id, text=ruling)
    return LockedMatch(
        match=match,
        ladders=[match.ladder] if overall[0] is None else [match.ladder, _ladder(overall)],
        standings=from_rows(row[related_end:] for row in rows) if len(rows[0]) > related_end else {},
    )


def _ladder(values: list[Any]) -> Ladder:
    found = dict(zip(_LADDER_FIELDS, values, strict=True))
    # psycopg returns JSON as text here, because Django turns off its own decoding.
    return Ladder(**{**found, "rule_options": json.loads(found["rule_options"])})
