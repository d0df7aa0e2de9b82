"""Locks, always in this order: accounts, the match row, standings, each by ascending id (docs/locking.md).

Each function is one round trip. What it returns was read under the lock and stays true until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import User
from common import sql
from common.errors import NotFound
from ladder.models import Ladder, Match
from ladder.rules import match_life
from ladder.rules.match_life import Seat, State
from ladder.rules.rule_sets import RuleSet, rule_set
from ladder.services.ledger.facts import FIELDS, Facts


@dataclass(slots=True)
class LockedStanding(Facts):
    """A standing whose row this transaction holds."""

    id: int
    player_id: int


@dataclass(slots=True)
class LockedMatch:
    """A match whose row this transaction holds, and the standings of its players where they were locked too."""

    match: Match
    rules: RuleSet
    standings: dict[int, LockedStanding] = field(default_factory=dict)

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
_AROUND_COLUMNS = "l.slug, l.name, l.time_zone, l.rule_set, l.rule_set_version, one.username, two.username"
_AROUND_JOINS = """
    JOIN ladder_ladder l ON l.id = m.ladder_id
    JOIN accounts_user one ON one.id = m.player_one_id
    JOIN accounts_user two ON two.id = m.player_two_id
"""
_STANDING_COLUMNS = ", ".join(f"s.{name}" for name in (*FIELDS, "id", "player_id"))

_LOCK_MATCH = f"""
    SELECT {_MATCH_COLUMNS}, {_AROUND_COLUMNS}
    FROM ladder_match m {_AROUND_JOINS}
    WHERE m.id = %s
    FOR UPDATE OF m
"""
# The first lock is taken inside the materialised part, so the match row is held before any standing is touched.
_LOCK_MATCH_AND_STANDINGS = f"""
    WITH m AS MATERIALIZED (SELECT * FROM ladder_match WHERE id = %s AND unrated_reason IS NULL FOR UPDATE)
    SELECT {_MATCH_COLUMNS}, {_AROUND_COLUMNS}, {_STANDING_COLUMNS}
    FROM m {_AROUND_JOINS}
    JOIN ladder_standing s ON s.ladder_id = m.ladder_id AND s.player_id IN (m.player_one_id, m.player_two_id)
    ORDER BY s.id
    FOR UPDATE OF s
"""
_LOCK_STANDINGS = f"""
    SELECT {_STANDING_COLUMNS} FROM ladder_standing s
    WHERE s.ladder_id = %s AND s.player_id = ANY(%s)
    ORDER BY s.id
    FOR UPDATE
"""


def lock_accounts(*account_ids: int) -> list[User]:
    """Lock accounts against others who lock them too, and give them as they are now.

    Offers and settlements, which need only a share, do not wait.
    """
    return list(User.objects.select_for_update(no_key=True).filter(pk__in=account_ids).order_by("pk"))


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


def lock_standings(locked: LockedMatch) -> None:
    """Lock the standings of a match that is already locked."""
    if not locked.standings:
        match = locked.match
        locked.standings = lock_standings_of(match.ladder_id, [match.player_one_id, match.player_two_id])


def lock_standings_of(ladder_id: int, player_ids: list[int]) -> dict[int, LockedStanding]:
    """Lock the standings of these players on one ladder; by player."""
    return _standings(sql.query(_LOCK_STANDINGS, (ladder_id, player_ids)))


def _locked(rows: list[tuple[Any, ...]]) -> LockedMatch:
    match_end = len(_MATCH_FIELDS)
    around_end = match_end + _AROUND_COLUMNS.count(",") + 1
    match = Match.from_db("default", _MATCH_FIELDS, rows[0][:match_end])
    slug, name, time_zone, rules, version, one, two = rows[0][match_end:around_end]
    match.ladder = Ladder(
        id=match.ladder_id, slug=slug, name=name, time_zone=time_zone, rule_set=rules, rule_set_version=version
    )
    match.player_one = User(id=match.player_one_id, username=one)
    match.player_two = User(id=match.player_two_id, username=two)
    standings = _standings(row[around_end:] for row in rows) if len(rows[0]) > around_end else {}
    return LockedMatch(match=match, rules=rule_set(rules, version), standings=standings)


def _standings(rows: Iterable[tuple[Any, ...]]) -> dict[int, LockedStanding]:
    standings = (LockedStanding(*row) for row in rows)
    return {standing.player_id: standing for standing in standings}
