"""Players, standings and matches for the benchmarks."""

from __future__ import annotations

import random
from uuid import UUID

from django.core.management import call_command
from django.db import connection, transaction

from accounts.models import User
from common.ids import uuid7
from ladder.models import Ladder


def migrate() -> None:
    call_command("migrate", verbosity=0)


def create_standings(count: int) -> Ladder:
    """Create a ladder with ``count`` players with ratings around 700, who have all played."""
    ladder = Ladder.objects.create(slug="bench", name="Bench")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO accounts_user
                (username, email, language, password, is_superuser, is_staff, is_active, date_joined)
            SELECT 'player' || lpad(n::text, 7, '0'), '', 'en', '!', false, false, true, now()
            FROM generate_series(1, %s) n
            """,
            [count],
        )
        cursor.execute(
            """
            INSERT INTO ladder_standing (ladder_id, player_id, rating, experience, peak_rating, wins, losses, streak,
                                         last_sequence, last_ranked_at, memory)
            SELECT %s, u.id, round((700 + 60 * random_normal())::numeric, 2), 400, 5000, 40, 40, 1, 0, now(), '{}'
            FROM accounts_user u ORDER BY u.id
            """,
            [ladder.pk],
        )
    analyse()
    return ladder


def create_matches(ladder: Ladder, count: int, *, seed: int, apart: bool = False) -> list[tuple[UUID, str]]:
    """Create matches in progress, of 7 points, between random players. Returns their ids and winners.

    ``apart``: each player is in at most one match.
    """
    players = list(User.objects.order_by("pk").values_list("pk", "username"))
    dice = random.Random(seed)
    dice.shuffle(players)
    matches = []
    connection.ensure_connection()
    with (
        connection.connection.cursor() as cursor,
        cursor.copy(
            "COPY ladder_match (id, ladder_id, origin, match_length, player_one_id, player_two_id, state,"
            " one_statement, two_statement, created_at, started_at) FROM STDIN"
        ) as copy,
    ):
        for n in range(count):
            match_id = uuid7()
            (one, winner), (two, _) = players[2 * n : 2 * n + 2] if apart else dice.sample(players, 2)
            copy.write_row((match_id, ladder.pk, "matchmaking", 7, one, two, "in_progress", "", "", "now", "now"))
            matches.append((match_id, winner))
    analyse()
    return matches


def create_past(ladder: Ladder, played: int) -> None:
    """Create this number of confirmed matches for each player, half in each seat, in the last hundred days."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            WITH players AS (
                SELECT player_id, row_number() OVER (ORDER BY random()) AS place, count(*) OVER () AS size
                FROM ladder_standing WHERE ladder_id = %(ladder)s
            ), matches AS (
                SELECT one.player_id AS one, two.player_id AS two,
                       now() - interval '1 hour' - random() * interval '100 days' AS at
                FROM players one CROSS JOIN generate_series(1, %(played)s / 2) AS round
                JOIN players two ON two.place = (one.place + round) %% one.size + 1
            )
            INSERT INTO ladder_match (id, ladder_id, origin, match_length, player_one_id, player_two_id, state,
                                      winner_id, confirmed_by, one_reported_winner, one_statement, two_statement,
                                      created_at, started_at, finished_at, settled_at)
            SELECT (lpad(to_hex((1000 * extract(epoch FROM at))::bigint), 12, '0') || '7'
                    || left(md5(random()::text), 3) || '8' || left(md5(random()::text), 15))::uuid,
                   %(ladder)s, 'matchmaking', 5, one, two, 'confirmed', one, 'opponent', 1, '', '',
                   at, at, at + interval '9 minutes', at + interval '9 minutes'
            FROM matches ORDER BY at
            """,
            {"ladder": ladder.pk, "played": played},
        )
    analyse()


def analyse() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")
