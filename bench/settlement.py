"""Settlements per second with the service, compared with the same work inside the database in one round trip."""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING
from uuid import UUID

import django

from bench import callers, pgbench, report

if TYPE_CHECKING:
    from ladder.models import Ladder

STANDINGS = 100_000
MATCHES = 20_000
ROUNDS = 3

# The data of a player's event, about as in the service.
EVENT_DATA = """jsonb_build_object('match', gen_random_uuid(), 'ladder', 'bench', 'match_length', 7,
    'origin', 'matchmaking', 'state', 'confirmed', 'opponent', 'player0000001', 'winner', 'player0000001',
    'confirmed_by', 'server', 'unrated_reason', NULL, 'ruling', NULL,
    'rating', jsonb_build_object('before', '700.00', 'delta', '4.00', 'after', '704.00'))"""
NEW_EVENTS = ", ".join(
    f"jsonb_build_object('account_id', :{side}::bigint, 'data', {EVENT_DATA})" for side in ("winner", "loser")
)

BASIS = """jsonb_build_object('win_probability', 0.5, 'k', '1', 'opponent_rating', '700.00')"""

# The limit: everything in one call inside the database, with a fixed rating change instead of the formula.
ONE_ROUND_TRIP = f"""
CREATE SEQUENCE bench_next;
CREATE TABLE bench_match (n bigint PRIMARY KEY, match_id uuid NOT NULL);
CREATE FUNCTION bench_settle() RETURNS void LANGUAGE plpgsql AS $$
DECLARE next_n bigint := nextval('bench_next'); m ladder_match; w ladder_standing; l ladder_standing;
BEGIN
    SELECT * INTO m FROM ladder_match WHERE id = (SELECT match_id FROM bench_match WHERE n = next_n) FOR UPDATE;
    IF m.id IS NULL THEN RAISE EXCEPTION 'out of matches'; END IF;
    PERFORM 1 FROM ladder_standing s WHERE s.ladder_id = m.ladder_id
        AND s.player_id IN (m.player_one_id, m.player_two_id) ORDER BY s.id FOR UPDATE;
    SELECT * INTO w FROM ladder_standing s WHERE s.ladder_id = m.ladder_id AND s.player_id = m.player_one_id;
    SELECT * INTO l FROM ladder_standing s WHERE s.ladder_id = m.ladder_id AND s.player_id = m.player_two_id;
    WITH entry (standing_id, sequence, before, delta, after, xb, xa, won) AS (
        VALUES (w.id, w.last_sequence + 1, w.rating, 4.00, w.rating + 4.00, w.experience, w.experience + 7, true),
               (l.id, l.last_sequence + 1, l.rating, -4.00, l.rating - 4.00, l.experience, l.experience + 7, false)
    ), confirmed AS (
        UPDATE ladder_match SET state = 'confirmed', winner_id = m.player_one_id, ending = 'played',
               confirmed_by = 'server', finished_at = now(), settled_at = now() WHERE id = m.id
    ), moved AS (
        UPDATE ladder_standing s SET rating = e.after, experience = e.xa,
               peak_rating = greatest(s.peak_rating, e.after), wins = s.wins + e.won::int,
               losses = s.losses + (NOT e.won)::int, last_sequence = e.sequence, last_ranked_at = now()
        FROM entry e WHERE s.id = e.standing_id
    )
    INSERT INTO ladder_ratingentry (standing_id, sequence, kind, match_id, before, delta, after, experience_before,
        experience_after, won, basis, rule_set, rule_set_version, reason, created_at)
    SELECT standing_id, sequence, 'settlement', m.id, before, delta, after, xb, xa, won, {BASIS}, 'fibs-600', 1,
           '', now() FROM entry;
    WITH counted AS (
        INSERT INTO events_eventstream (account_id, last_number, delivered_number)
        SELECT account_id, 1, 0 FROM unnest(ARRAY[m.player_one_id, m.player_two_id]) AS new_event (account_id)
        ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET last_number = events_eventstream.last_number + 1
        RETURNING account_id, last_number
    )
    INSERT INTO events_event (account_id, number, kind, data, created_at)
    SELECT account_id, last_number, 'match_confirmed', {EVENT_DATA}, now() FROM counted;
END $$;
"""


def _same_statements() -> str:
    """The statements of the service for one settlement, as a pgbench script. The values come from one fast query."""
    from ladder.services import settlement
    from ladder.services.matches import locking

    lock = locking._LOCK_MATCH_AND_STANDINGS.replace("%s", ":match")
    write = re.sub(r"%\((\w+)\)s", r":\1", settlement._SETTLE)
    both = {
        "entry_standing_id": ":w_standing, :l_standing", "entry_sequence": ":w_sequence, :l_sequence",
        "entry_kind": "'settlement', 'settlement'", "entry_match_id": ":match, :match",
        "entry_before": ":w_before, :l_before", "entry_delta": "4.00, -4.00",
        "entry_after": ":w_before + 4.00, :l_before - 4.00",
        "entry_experience_before": ":w_experience, :l_experience",
        "entry_experience_after": ":w_experience + 7, :l_experience + 7", "entry_won": "true, false",
        "entry_basis": f"{BASIS}, {BASIS}", "entry_rule_set": "'fibs-600', 'fibs-600'",
        "entry_rule_set_version": "1, 1",
        "entry_reverses_id": "NULL, NULL", "entry_follows_id": "NULL, NULL", "entry_actor_id": "NULL, NULL",
        "entry_reason": "'', ''", "entry_created_at": "now(), now()",
        "standing_id": ":w_standing, :l_standing", "standing_rating": ":w_before + 4.00, :l_before - 4.00",
        "standing_peak_rating": ":w_peak, :l_peak", "standing_experience": ":w_experience + 7, :l_experience + 7",
        "standing_wins": ":w_wins, :l_wins", "standing_losses": ":w_losses, :l_losses", "standing_streak": "1, -1",
        "standing_last_sequence": ":w_sequence, :l_sequence", "standing_last_ranked_at": "now(), now()",
        "standing_decayed_through": "NULL, NULL", "standing_memory": "'{}', '{}'",
    }  # fmt: skip
    fixed = {
        "loser_score": "NULL", "ending": "'played'", "confirmed_by": "'server'", "ruling": "NULL",
        "one_reported_winner": "NULL", "two_reported_winner": "NULL",
        "finished_at": "now()", "settled_at": "now()", "now": "now()",
        "reporter": "NULL", "event_kind": "'match_confirmed'", "event_key": "NULL",
        "new_events": f"jsonb_build_array({NEW_EVENTS})",
        **{name: f"ARRAY[{values}]" for name, values in both.items()},
    }  # fmt: skip
    for name, value in fixed.items():
        write = re.sub(rf"(?<!:):{name}\b", _one_line(value), write)
    return f"""
        SELECT m.id AS match, m.player_one_id AS winner, m.player_two_id AS loser,
               w.id AS w_standing, l.id AS l_standing, w.rating AS w_before, l.rating AS l_before,
               w.experience AS w_experience, l.experience AS l_experience,
               w.last_sequence + 1 AS w_sequence, l.last_sequence + 1 AS l_sequence,
               greatest(w.peak_rating, w.rating + 4) AS w_peak,
               l.peak_rating AS l_peak, w.wins + 1 AS w_wins, l.wins AS l_wins, w.losses AS w_losses,
               l.losses + 1 AS l_losses
        FROM bench_match b JOIN ladder_match m ON m.id = b.match_id
        JOIN ladder_standing w ON w.ladder_id = m.ladder_id AND w.player_id = m.player_one_id
        JOIN ladder_standing l ON l.ladder_id = m.ladder_id AND l.player_id = m.player_two_id
        WHERE b.n = (SELECT nextval('bench_next')) \\gset
        BEGIN;
        {_one_line(lock)};
        {_one_line(write)};
        COMMIT;
    """


def _one_line(statement: str) -> str:
    return " ".join(statement.split())


def run(seconds: float) -> None:
    django.setup()
    from bench import population

    population.migrate()
    ladder = population.create_standings(STANDINGS)
    _execute(ONE_ROUND_TRIP)
    report.title(f"Settlement ({STANDINGS:,} standings, durable commits)")
    for count in (1, 8):
        rounds = [_round(ladder, count, seconds / ROUNDS, seed=n) for n in range(ROUNDS)]
        limit, same, rate, p99, _worst = (median(each) for each in zip(*rounds, strict=True))
        report.figure(f"one round trip inside the database, {count} caller(s)", limit, "/s")
        report.figure(f"the service's statements by pgbench, {count} caller(s)", same, "/s", limit=limit)
        report.figure(f"through the service, {count} caller(s)", rate, "/s", limit=limit, note=f"p99 {p99:.1f} ms")


def _round(ladder: Ladder, count: int, seconds: float, *, seed: int) -> tuple[float, ...]:
    """All three in turn, close to each other: other work on the machine comes and goes."""
    from bench import population

    _number(population.create_matches(ladder, MATCHES, seed=seed))
    limit = pgbench.transactions_per_second("SELECT bench_settle();", clients=count, seconds=seconds)
    _number(population.create_matches(ladder, MATCHES, seed=seed, apart=True))
    same = pgbench.transactions_per_second(_same_statements(), clients=count, seconds=seconds)
    matches = population.create_matches(ladder, MATCHES, seed=seed + ROUNDS)
    return limit, same, *callers.measure(count, seconds, settle, matches)


def settle(match: tuple[UUID, str]) -> None:
    from ladder.services.matches import reporting

    match_id, winner = match
    reporting.server_result(match_id, winner=winner)


def _number(matches: list[tuple[UUID, str]]) -> None:
    """Number the matches, so that each call of the limit's function takes the next one."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE bench_match")
        cursor.execute(
            "INSERT INTO bench_match SELECT n, id FROM unnest(%s::uuid[]) WITH ORDINALITY AS listed (id, n)",
            [[match_id for match_id, _ in matches]],
        )
        cursor.execute("ALTER SEQUENCE bench_next RESTART")
        cursor.execute("VACUUM ANALYZE bench_match")


def _execute(statements: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statements)
