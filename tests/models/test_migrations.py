"""The schema can be built, taken down and built again, and is what the models say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone

from ladder.models import Ladder, Match, User
from matchmaking.models import Offer, Ticket

ALIAS = "scratch"


@pytest.fixture
def scratch(django_db_setup: None, django_db_blocker) -> Iterator[str]:
    """The alias of an empty database."""
    name = f"{connection.settings_dict['NAME']}_scratch"
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}"')
        connections.databases[ALIAS] = {**connections.databases["default"], "NAME": name}
        try:
            yield ALIAS
        finally:
            connections[ALIAS].close()
            del connections[ALIAS], connections.databases[ALIAS]
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{name}"')


OURS = """
    SELECT relname FROM pg_class WHERE relname ~ '^(ladder|matchmaking)' AND relkind IN ('r', 'i', 'S')
    UNION SELECT conname FROM pg_constraint WHERE conrelid::regclass::text ~ '^(ladder|matchmaking)'
    UNION SELECT tgname FROM pg_trigger WHERE tgrelid::regclass::text ~ '^(ladder|matchmaking)' AND NOT tgisinternal
"""


def ours() -> set[str]:
    with connections[ALIAS].cursor() as cursor:
        cursor.execute(OURS)
        return {name for (name,) in cursor.fetchall()}


def test_migrations_go_down_to_nothing_and_up_again(scratch: str) -> None:
    migrate()
    built = ours()
    assert {"ladder_ratingentry", "matchmaking_ticket"} <= built
    migrate("matchmaking", "zero")
    migrate("ladder", "zero")
    assert ours() == set()
    migrate()
    assert ours() == built


def migrate(*target: str) -> None:
    call_command("migrate", *target, database=ALIAS, verbosity=0)


def test_what_is_written_can_be_taken_back(scratch: str) -> None:
    """Tickets and offers in every state go to the first release of the queue and come again."""
    migrate()
    now = timezone.now()
    ladder = Ladder.objects.using(ALIAS).create(slug="backgammon", name="Backgammon")
    players = [User.objects.using(ALIAS).create(username=f"player{n:02}") for n in range(20)]
    for player, state in zip(players, Ticket.State, strict=False):
        Ticket.objects.using(ALIAS).create(
            account=player, ladder=ladder, match_lengths=[5], state=state, waiting_since=now, queued_at=now,
            seen_at=now, closed_at=None if state in Ticket.LIVE else now,
        )  # fmt: skip
    for outcome in Offer.Outcome:
        match = Match.objects.using(ALIAS).create(
            ladder=ladder, origin="matchmaking", match_length=5, player_one=players[0], player_two=players[1]
        )
        closed_at = None if outcome == Offer.Outcome.OPEN else now
        Offer.objects.using(ALIAS).create(match=match, win_probability=0.5, outcome=outcome, closed_at=closed_at)
    migrate("matchmaking", "0001")
    migrate()
    assert Ticket.objects.using(ALIAS).count() == len(Ticket.State)
    assert Offer.objects.using(ALIAS).count() == len(Offer.Outcome)


def test_what_the_release_before_allowed_can_be_migrated(scratch: str) -> None:
    """Its ladders could offer any number of lengths."""
    migrate("matchmaking", "0001")
    migrate("ladder", "0006")
    columns = "slug, name, rule_set, rule_set_version, time_zone, match_lengths, created_at"
    with connections[ALIAS].cursor() as cursor:
        for lengths in ("'{}'", "ARRAY(SELECT generate_series(1, 60))"):
            values = f"md5({lengths}::text), 'x', 'fibs-600', 1, 'UTC', {lengths}, now()"
            cursor.execute(f"INSERT INTO ladder_ladder ({columns}) SELECT {values}")
    migrate()
    assert sorted(len(ladder.match_lengths) for ladder in Ladder.objects.using(ALIAS)) == [1, 50]


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
