"""Settlement: the rating changes of a confirmed ranked match, written in the transaction that confirms it.

If the ladder has an overall ladder, the ratings there change too, by that ladder's rules.

The caller has locked the match (``ladder.services.matches.locking``) and checked with ``ladder.rules.match_life`` that
it may be confirmed. The changes are computed in Python by ``ladder.rules``, and one statement writes everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from common import sql
from events.services import writing as events
from ladder.models import Ladder, Match, RatingEntry, Ruling
from ladder.queries.players import as_player
from ladder.rules.match_life import ConfirmedBy, Ending, Seat, State, other
from ladder.rules.systems import system as rules
from ladder.rules.systems.recall import MEMORY, PLAYER, noted
from ladder.rules.systems.system import Score
from ladder.services.ledger import appending
from ladder.services.ledger.locking import Key, LockedStanding
from ladder.services.matches import notifications
from ladder.services.matches.locking import LockedMatch, lock_standings_of_match
from ladder.services.matches.notifications import RatingChange


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match. ``reporter`` is the player with whose report it arrived, if any.

    ``ruling`` is the moderator's ruling that gives this result, if any.
    """

    winner: Seat
    ending: Ending
    confirmed_by: ConfirmedBy
    loser_score: int | None = None
    reporter: Seat | None = None
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match after a service call. ``entries`` are the ledger entries that the call wrote.

    ``changed`` is False if the call repeated an earlier one, and so changed nothing.
    """

    match: Match
    entries: list[RatingEntry] = field(default_factory=list)
    changed: bool = True


_REPORT = """
    INSERT INTO ladder_matchreport (match_id, reporter_id, winner_id, loser_score, ending, created_at)
    SELECT %(match)s::uuid, %(reporter)s::bigint, %(winner)s::bigint, %(loser_score)s::smallint, %(ending)s::text,
           %(now)s::timestamptz
    WHERE %(reporter)s::bigint IS NOT NULL
    ON CONFLICT DO NOTHING
"""
_CONFIRM = """
    UPDATE ladder_match
    SET state = 'confirmed', winner_id = %(winner)s::bigint, loser_score = %(loser_score)s::smallint,
        ending = %(ending)s::text, confirmed_by = %(confirmed_by)s::text, ruling_id = %(ruling)s::bigint,
        one_reported_winner = %(one_reported_winner)s::smallint,
        two_reported_winner = %(two_reported_winner)s::smallint,
        finished_at = %(finished_at)s::timestamptz, settled_at = %(settled_at)s::timestamptz
    WHERE id = %(match)s::uuid
"""
_CONFIRM_UNRATED = f"""
    WITH report AS ({_REPORT}), confirmed AS ({_CONFIRM}), {events.NEW_EVENTS}, {events.NUMBER_EVENTS}
    {events.INSERT_EVENTS}
"""
_SETTLE = f"""
    WITH report AS ({_REPORT}), confirmed AS ({_CONFIRM}), {appending.UPDATE_STANDINGS}, {appending.INSERT_ENTRIES},
         {events.NEW_EVENTS}, {events.NUMBER_EVENTS} {events.INSERT_EVENTS}
"""


def confirm(
    locked: LockedMatch, result: Result, *, now: datetime, finished_at: datetime | None = None,
    follows: Mapping[int, RatingEntry] | None = None,
) -> Outcome:  # fmt: skip
    """Confirm a locked match and, if it is rated, settle it.

    ``finished_at`` is when the match was played (default: now). ``follows`` is for a corrected match: the reversal
    before the new settlement, by standing id.
    """
    match = locked.match
    apply_result(match, result, now=now, finished_at=finished_at or now)
    parameters: dict[str, Any] = {
        "match": match.id,
        "winner": match.winner_id,
        "loser_score": match.loser_score,
        "ending": match.ending,
        "confirmed_by": match.confirmed_by,
        "ruling": match.ruling_id,
        "one_reported_winner": match.one_reported_winner,
        "two_reported_winner": match.two_reported_winner,
        "finished_at": match.finished_at,
        "settled_at": match.settled_at,
        "reporter": locked.player_id(result.reporter) if result.reporter else None,
        "now": now,
    }
    if not match.is_rated:
        event = notifications.result_event(match, {})
        sql.execute(_CONFIRM_UNRATED, parameters | events.event_parameters(*event))
        events.notify_streams(event[1])
        return Outcome(match)

    lock_standings_of_match(locked)
    entries = settle(match, locked.ladders, locked.standings, now=now, follows=follows)
    # For a correction, the rating before is the one before the reversal.
    changes = {
        entry.standing.player_id: RatingChange((follows[entry.standing_id] if follows else entry).before, entry.after)
        for entry in entries
        if entry.standing.ladder_id == match.ladder_id
    }
    event = notifications.result_event(match, changes)
    parameters |= {**events.event_parameters(*event), **appending.parameters(entries, locked.standings.values())}
    sql.execute(_SETTLE, parameters)
    events.notify_streams(event[1])
    return Outcome(match, entries)


def apply_result(match: Match, result: Result, *, now: datetime, finished_at: datetime) -> None:
    """Set the fields of a confirmed match, in memory. ``finished_at`` is when it was played."""
    match.state = State.CONFIRMED
    match.winner_id = match.player_one_id if result.winner == 1 else match.player_two_id
    match.loser_score = result.loser_score
    match.ending = result.ending
    match.confirmed_by = result.confirmed_by
    match.ruling = result.ruling
    match.finished_at = finished_at
    match.settled_at = now if match.is_rated else None
    if result.reporter == 1:
        match.one_reported_winner = result.winner
    elif result.reporter == 2:
        match.two_reported_winner = result.winner


def settle(
    match: Match, ladders: list[Ladder], standings: Mapping[Key, LockedStanding], *, now: datetime,
    follows: Mapping[int, RatingEntry] | None = None,
) -> list[RatingEntry]:  # fmt: skip
    """Settle a confirmed match on each ladder, in memory.

    Updates the standings and returns the ledger entries to write, on each ladder the winner's first. ``follows`` is as
    in :func:`confirm`.
    """
    assert match.winner_id is not None
    seat: Seat = 1 if match.winner_id == match.player_one_id else 2
    loser_id = match.player_two_id if other(seat) == 2 else match.player_one_id
    played = rules.Match(match.match_length, Ending(match.ending or Ending.PLAYED))
    entries = []
    for ladder in ladders:
        sides = (standings[ladder.pk, match.winner_id], standings[ladder.pk, loser_id])
        winner, loser = (as_player(it, ladder, it.birth_year, match.finished_at) for it in sides)
        system = ladder.rules.system
        changes = system.settle(winner, loser, Score.WIN, played)
        for standing, player, change, won in zip(sides, (winner, loser), changes, (True, False), strict=True):
            kept = noted(player, system)
            entry = RatingEntry(
                standing=standing.as_row(),
                sequence=standing.last_sequence + 1,
                kind=RatingEntry.Kind.SETTLEMENT,
                match=match,
                before=change.before,
                delta=change.delta,
                after=change.after,
                experience_before=change.experience_before,
                experience_after=change.experience_after,
                won=won,
                basis={
                    **change.basis,
                    **({PLAYER: kept} if kept else {}),
                    **({MEMORY: dict(change.memory)} if change.memory else {}),
                },
                rule_set=ladder.rule_set,
                rule_set_version=ladder.rule_set_version,
                follows=follows[standing.id] if follows else None,
                created_at=now,
            )
            standing.add(entry, finished_at=match.finished_at)
            entries.append(entry)
    return entries
