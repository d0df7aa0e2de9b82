"""Locks, always in this order: accounts, the match row, standings, each by ascending id (docs/locking.md).

Each function is one round trip. What it returns was read under the lock and stays true until the transaction ends.
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
    """A match whose row this transaction holds, and the standings of its players where they were locked too.

    ``ladders`` are the match's own ladder and, where that is a member of one, the overall ladder.
    """

    match: Match
    ladders: list[Ladder]
    standings: dict[Key, LockedStanding] = field(default_factory=dict)

    def life(self) -> match_life.Match:
        """The match as the rules of its life see it."""
        match = self.match
        seats: tuple[tuple[Seat, datetime | None, int | None], ...] = (
            (1, match.one_accepted_at, match.one_says),
            (2, match.two_accepted_at, match.two_says),
        )
        return match_life.Match(
            state=State(match.state),
            winner=None if match.winner_id is None else match.seat_of(match.winner_id),
            accepted=frozenset(seat for seat, accepted_at, _ in seats if accepted_at),
            claims=frozenset((seat, 1 if says == 1 else 2) for seat, _, says in seats if says),
            void_reason=match.void_reason,
        )

    def player_id(self, seat: Seat) -> int:
        return self.match.player_one_id if seat == 1 else self.match.player_two_id


_MATCH_FIELDS = [f.attname for f in Match._meta.concrete_fields]
_MATCH_COLUMNS = ", ".join(f"m.{f.column}" for f in Match._meta.concrete_fields)
_LADDER_FIELDS = ("id", "slug", "name", "time_zone", "rule_set", "rule_set_version", "rule_options", "overall_id")
_AROUND = [
    *(f"{ladder}.{name}" for ladder in ("l", "o") for name in _LADDER_FIELDS),
    "one.username",
    "two.username",
    "r.text",
]
_AROUND_COLUMNS = ", ".join(_AROUND)
_AROUND_JOINS = """
    JOIN ladder_ladder l ON l.id = m.ladder_id
    LEFT JOIN ladder_ladder o ON o.id = l.overall_id
    LEFT JOIN ladder_ruling r ON r.id = m.ruling_id
    JOIN accounts_user one ON one.id = m.player_one_id
    JOIN accounts_user two ON two.id = m.player_two_id
"""

_LOCK_MATCH = f"""
    SELECT {_MATCH_COLUMNS}, {_AROUND_COLUMNS}
    FROM ladder_match m {_AROUND_JOINS}
    WHERE m.id = %s
    FOR UPDATE OF m
"""
# The first lock is taken inside the materialised part, so the match row is held before any standing is touched.
_LOCK_MATCH_AND_STANDINGS = f"""
    WITH m AS MATERIALIZED (SELECT * FROM ladder_match WHERE id = %s AND unrated_reason IS NULL FOR UPDATE)
    SELECT {_MATCH_COLUMNS}, {_AROUND_COLUMNS}, {COLUMNS}
    FROM m {_AROUND_JOINS}
    JOIN ladder_standing s ON s.ladder_id IN (l.id, o.id) AND s.player_id IN (m.player_one_id, m.player_two_id)
    JOIN accounts_user p ON p.id = s.player_id
    ORDER BY s.id
    FOR UPDATE OF s
"""


def lock_match(match_id: UUID) -> LockedMatch:
    """Lock a match alone. Raises ``NotFound``."""
    rows = sql.query(_LOCK_MATCH, (match_id,))
    if not rows:
        raise NotFound("match_not_found", _("There is no such match."))
    return _locked(rows)


def lock_match_to_settle(match_id: UUID) -> LockedMatch:
    """Lock a match and, where it is rated, the standings of its two players. Raises ``NotFound``."""
    rows = sql.query(_LOCK_MATCH_AND_STANDINGS, (match_id,))
    # Without standings there is nothing to settle: an unrated match, whose row alone is locked.
    return _locked(rows) if rows else lock_match(match_id)


def lock_standings_of_match(locked: LockedMatch) -> None:
    """Lock the standings of a match that is already locked."""
    if not locked.standings:
        match = locked.match
        ladders = [ladder.pk for ladder in locked.ladders]
        locked.standings = lock_standings(ladders, [match.player_one_id, match.player_two_id])


def _locked(rows: list[tuple[Any, ...]]) -> LockedMatch:
    match_end = len(_MATCH_FIELDS)
    around_end = match_end + len(_AROUND)
    match = Match.from_db("default", _MATCH_FIELDS, rows[0][:match_end])
    around = rows[0][match_end:around_end]
    *ladders, one, two, ruling = around
    own, overall = ladders[: len(_LADDER_FIELDS)], ladders[len(_LADDER_FIELDS) :]
    match.ladder = _ladder(own)
    match.player_one = User(id=match.player_one_id, username=one)
    match.player_two = User(id=match.player_two_id, username=two)
    if match.ruling_id is not None:
        match.ruling = Ruling(id=match.ruling_id, text=ruling)
    return LockedMatch(
        match=match,
        ladders=[match.ladder] if overall[0] is None else [match.ladder, _ladder(overall)],
        standings=from_rows(row[around_end:] for row in rows) if len(rows[0]) > around_end else {},
    )


def _ladder(values: list[Any]) -> Ladder:
    found = dict(zip(_LADDER_FIELDS, values, strict=True))
    # Django leaves JSON to its own fields, and this is read beside them.
    return Ladder(**{**found, "rule_options": json.loads(found["rule_options"])})
