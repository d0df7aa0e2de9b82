"""Waves: the time from a queue in the database to saved offers, and the part of pairing in it.

``bench.pairing`` measures the results of pairing.
"""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING

import django

from bench import report

if TYPE_CHECKING:
    from ladder.models import Ladder

SIZES = (100, 1_000, 10_000)
MOST_ROUNDS = 5
# Earlier matches of each player, and matches of other players in progress. A wave checks whether waiting players are in
# a match.
PLAYED = 100
PLAYING = 1_000
# The tables that a wave writes, in the order in which they can be emptied.
WRITTEN = (
    "matchmaking_offerside",
    "matchmaking_offer",
    "matchmaking_ticket",
    "ladder_match WHERE state = 'offered'",
    "events_event",
    "events_presence",
)


def run(seconds: float) -> None:
    django.setup()
    from bench import population
    from matchmaking.pairing.nominal import for_pairing
    from matchmaking.pairing.wave import pair
    from matchmaking.queries import queue
    from matchmaking.services import waves

    population.migrate()
    ladder = population.create_standings(max(SIZES) + 2 * PLAYING)
    population.create_past(ladder, PLAYED)
    population.create_matches(ladder, PLAYING, seed=0, apart=True)
    report.title("A wave on the database: snapshot, pairing, offers, durable commits; limit: pairing alone")
    for size in SIZES:
        wholes, snapshots, pairings, offers = [], [], [], 0
        end = time.perf_counter() + seconds
        for number in range(MOST_ROUNDS):
            fill_queue(ladder, size, seed=number)
            start = time.perf_counter()
            tickets = queue.pairable_tickets(ladder)
            snapshots.append(time.perf_counter() - start)
            start = time.perf_counter()
            pair(tickets, for_pairing(ladder.rules.system))
            pairings.append(time.perf_counter() - start)
            start = time.perf_counter()
            offers = waves.pair_waiting(ladder).offers
            wholes.append(time.perf_counter() - start)
            if time.perf_counter() > end:
                break
        whole, alone, look = (1000 * median(times) for times in (wholes, pairings, snapshots))
        note = f"{offers:,} offers, {1000 * whole / max(offers, 1):,.0f} µs each; snapshot {look:,.0f} ms"
        report.figure(f"{size:,} tickets", whole, "ms", limit=alone, note=note)


def fill_queue(ladder: Ladder, size: int, *, seed: int) -> None:
    """Empty the queue, and fill it with players who have an open event stream and no match."""
    from django.db import connection

    from bench import population

    with connection.cursor() as cursor:
        for table in WRITTEN:
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute(
            """
            INSERT INTO matchmaking_ticket
                (id, account_id, ladder_id, match_lengths, state, waiting_since, queued_at, seen_at, created_at)
            SELECT gen_random_uuid(), listed.player_id, %(ladder)s,
                   (CASE listed.n %% 3 WHEN 0 THEN '{1,3,5}' WHEN 1 THEN '{5,7,9}' ELSE '{3,5,7}' END)::smallint[],
                   'waiting', now() - random() * interval '60 seconds', now(), now(), now()
            FROM (
                SELECT player_id, row_number() OVER (ORDER BY md5(player_id || %(seed)s::text)) AS n
                FROM ladder_standing WHERE ladder_id = %(ladder)s AND player_id NOT IN (
                    SELECT unnest(ARRAY[player_one_id, player_two_id]) FROM ladder_match WHERE state = 'in_progress'
                )
            ) listed
            WHERE listed.n <= %(size)s
            """,
            {"ladder": ladder.pk, "size": size, "seed": str(seed)},
        )
        cursor.execute(
            "INSERT INTO events_presence (account_id, seen_at) SELECT account_id, now() FROM matchmaking_ticket"
        )
    population.analyse()
