"""Settlement: a confirmed ranked match moves two ratings, in the transaction that confirms it.

The caller holds the locks (``ladder.services.matches.locking``) and has asked ``ladder.rules.match_life`` whether the
match may be confirmed. The formula is computed in Python by ``ladder.rules``; everything is then written by one
statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from common import sql
from events.services import writing as events
from ladder.models import Match, RatingEntry
from ladder.rules.match_life import ConfirmedBy, Ending, Seat, State, other
from ladder.rules.rule_sets import RuleSet
from ladder.rules.types import Player
from ladder.services.matches import events as news
from ladder.services.matches.events import Move
from ladder.services.matches.locking import LockedMatch, LockedStanding, lock_standings


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended, and by whose word. ``reporter`` is the seat whose report came with it, if one did."""

    winner: Seat
    ending: Ending
    confirmed_by: ConfirmedBy
    loser_score: int | None = None
    reporter: Seat | None = None
    ruling_text: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match after a service was done with it. ``entries`` are the ledger entries this call wrote.

    ``changed`` is False when the call only repeated what had been decided, and so did nothing.
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
        ending = %(ending)s::text, confirmed_by = %(confirmed_by)s::text, ruling_text = %(ruling_text)s::text,
        one_says = %(one_says)s::smallint, two_says = %(two_says)s::smallint,
        finished_at = %(finished_at)s::timestamptz, settled_at = %(settled_at)s::timestamptz
    WHERE id = %(match)s::uuid
"""
_CONFIRM_UNRATED = f"""
    WITH said AS ({_REPORT}), confirmed AS ({_CONFIRM}), {events.NEW_EVENTS}, {events.NUMBER_EVENTS}
    {events.INSERT_EVENTS}
"""
_ENTRY = """(
    %({side}_standing)s::bigint, %({side}_sequence)s::int, %({side}_before)s::numeric, %({side}_delta)s::numeric,
    %({side}_after)s::numeric, %({side}_experience_before)s::int, %({side}_experience_after)s::int, {won},
    %({side}_k)s::numeric, %({side}_opponent)s::numeric, %({side}_follows)s::bigint, %({side}_peak)s::numeric,
    %({side}_wins)s::int, %({side}_losses)s::int, %({side}_streak)s::int, %({side}_last_ranked_at)s::timestamptz
)"""
_SETTLE = f"""
    WITH entry (standing_id, sequence, before, delta, after, experience_before, experience_after, won, k,
                opponent_rating, follows_id, peak_rating, wins, losses, streak, last_ranked_at) AS (
        VALUES {_ENTRY.format(side="w", won="true")}, {_ENTRY.format(side="l", won="false")}
    ), said AS ({_REPORT}), confirmed AS ({_CONFIRM}), moved AS (
        UPDATE ladder_standing s
        SET rating = e.after, experience = e.experience_after, peak_rating = e.peak_rating, wins = e.wins,
            losses = e.losses, streak = e.streak, last_sequence = e.sequence, last_ranked_at = e.last_ranked_at
        FROM entry e WHERE s.id = e.standing_id
    ), written AS (
        INSERT INTO ladder_ratingentry (
            standing_id, sequence, kind, match_id, before, delta, after, experience_before, experience_after, won, k,
            winner_probability, opponent_rating, follows_id, rule_set, rule_set_version, reason, created_at
        )
        SELECT standing_id, sequence, 'settlement', %(match)s::uuid, before, delta, after, experience_before,
               experience_after, won, k, %(winner_probability)s::float8, opponent_rating, follows_id,
               %(rule_set)s::text, %(rule_set_version)s::smallint, '', %(now)s::timestamptz
        FROM entry
    ), {events.NEW_EVENTS}, {events.NUMBER_EVENTS} {events.INSERT_EVENTS}
"""


def confirm(
    locked: LockedMatch, result: Result, *, now: datetime, finished_at: datetime | None = None,
    follows: Mapping[int, RatingEntry] | None = None,
) -> Outcome:  # fmt: skip
    """Confirm a match and, if it is rated, settle it.

    ``finished_at`` is when the match counts as played (default: now). ``follows`` gives, for a corrected match, the
    reversal that each standing's new settlement stands on.
    """
    match = locked.match
    apply_result(match, result, now=now, finished_at=finished_at or now)
    parameters: dict[str, Any] = {
        "match": match.id,
        "winner": match.winner_id,
        "loser_score": match.loser_score,
        "ending": match.ending,
        "confirmed_by": match.confirmed_by,
        "ruling_text": match.ruling_text,
        "one_says": match.one_says,
        "two_says": match.two_says,
        "finished_at": match.finished_at,
        "settled_at": match.settled_at,
        "reporter": locked.player_id(result.reporter) if result.reporter else None,
        "now": now,
    }
    if not match.is_rated:
        told = news.of_result(match, {})
        sql.execute(_CONFIRM_UNRATED, parameters | events.event_parameters(*told))
        events.notify_streams(told[1])
        return Outcome(match)

    lock_standings(locked)
    winner = locked.standings[locked.player_id(result.winner)]
    loser = locked.standings[locked.player_id(other(result.winner))]
    entries = settle(match, locked.rules, winner, loser, now=now, follows=follows)
    # A correction moves a rating from what it was before the result was taken back.
    moved = {
        standing.player_id: Move((follows[standing.id] if follows else entry).before, entry.after)
        for standing, entry in zip((winner, loser), entries, strict=True)
    }
    told = news.of_result(match, moved)
    parameters |= {
        **events.event_parameters(*told),
        "winner_probability": entries[0].winner_probability,
        "rule_set": locked.rules.name,
        "rule_set_version": locked.rules.version,
        **_parameters("w", winner, entries[0]),
        **_parameters("l", loser, entries[1]),
    }
    sql.execute(_SETTLE, parameters)
    events.notify_streams(told[1])
    return Outcome(match, entries)


def apply_result(match: Match, result: Result, *, now: datetime, finished_at: datetime) -> None:
    """Make the match a confirmed one, in memory. ``finished_at`` is when it counts as played."""
    match.state = State.CONFIRMED
    match.winner_id = match.player_one_id if result.winner == 1 else match.player_two_id
    match.loser_score = result.loser_score
    match.ending = result.ending
    match.confirmed_by = result.confirmed_by
    match.ruling_text = result.ruling_text
    match.finished_at = finished_at
    match.settled_at = now if match.is_rated else None
    if result.reporter == 1:
        match.one_says = result.winner
    elif result.reporter == 2:
        match.two_says = result.winner


def settle(
    match: Match, rules: RuleSet, winner: LockedStanding, loser: LockedStanding, *, now: datetime,
    follows: Mapping[int, RatingEntry] | None = None,
) -> list[RatingEntry]:  # fmt: skip
    """What a confirmed match does to its two players, in memory: moves both standings and gives the ledger entries
    to write, the winner's first. ``follows`` is as in :func:`confirm`.
    """
    settlement = rules.system.settle(_player(winner), _player(loser), match.match_length)
    sides = [
        (winner, settlement.winner, loser.rating, True),
        (loser, settlement.loser, winner.rating, False),
    ]
    entries = []
    for standing, change, opponent_rating, won in sides:
        entry = RatingEntry(
            standing_id=standing.id,
            sequence=standing.last_sequence + 1,
            kind=RatingEntry.Kind.SETTLEMENT,
            match=match,
            before=change.before,
            delta=change.delta,
            after=change.after,
            experience_before=change.experience_before,
            experience_after=change.experience_after,
            won=won,
            k=change.k,
            winner_probability=settlement.winner_probability,
            opponent_rating=opponent_rating,
            rule_set=rules.name,
            rule_set_version=rules.version,
            follows=follows[standing.id] if follows else None,
            created_at=now,
        )
        standing.add(entry, finished_at=match.finished_at)
        entries.append(entry)
    return entries


def _player(standing: LockedStanding) -> Player:
    return Player(rating=standing.rating, experience=standing.experience)


def _parameters(side: str, standing: LockedStanding, entry: RatingEntry) -> dict[str, Any]:
    return {
        f"{side}_standing": standing.id,
        f"{side}_sequence": entry.sequence,
        f"{side}_before": entry.before,
        f"{side}_delta": entry.delta,
        f"{side}_after": entry.after,
        f"{side}_experience_before": entry.experience_before,
        f"{side}_experience_after": entry.experience_after,
        f"{side}_k": entry.k,
        f"{side}_opponent": entry.opponent_rating,
        f"{side}_follows": entry.follows_id,
        f"{side}_peak": standing.peak_rating,
        f"{side}_wins": standing.wins,
        f"{side}_losses": standing.losses,
        f"{side}_streak": standing.streak,
        f"{side}_last_ranked_at": standing.last_ranked_at,
    }
