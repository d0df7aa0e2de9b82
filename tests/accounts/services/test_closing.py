"""Closing an account: its matches and ledger stay, and its name is deleted everywhere."""

from __future__ import annotations

import pytest
from django.db import connection

from accounts.models import Block, User
from accounts.services import blocks
from accounts.services import closing as accounts
from common.errors import NotFound
from common.models import IdempotencyKey
from events.queries import StreamPosition, read_events_after
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers, reporting
from matchmaking.models import Invite, Ticket
from matchmaking.services import arranged, invites
from tests import clients, factories
from tests.matchmaking.queueing import queued

pytestmark = pytest.mark.django_db

NAME = "leaving01"
_COLUMNS = """
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type IN ('text', 'character varying', 'jsonb', 'bytea', 'ARRAY')
"""


def places_that_name(name: str) -> list[str]:
    """All columns that contain a name."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        for table, column in cursor.fetchall():
            # Bytes are shown as hexadecimal digits.
            statement = f'SELECT 1 FROM "{table}" WHERE "{column}"::text LIKE ANY(%s) LIMIT 1'
            cursor.execute(statement, [[f"%{name}%", f"%{name.encode().hex()}%"]])
            found += [f"{table}.{column}"] if cursor.fetchone() else []
    return found


def test_the_name_is_deleted_everywhere() -> None:
    person, opponent, ladder = factories.make_player(NAME), factories.make_player(), factories.make_ladder()
    factories.confirmed_match(person, opponent)
    disputed = factories.awaiting_match(opponent, person, claimant=1, origin="challenge")
    reporting.dispute(disputed.pk, person, text="My phone died.")
    reporting.dispute(disputed.pk, opponent, text="Mine did not.")
    declined, _ = arranged.challenge(person, opponent.username, ladder, match_length=5)
    offers.decline(declined.pk, opponent)
    client = clients.player(person, **{"Idempotency-Key": "a"})
    client.post("challenges", {"opponent": opponent.username, "ladder": "backgammon", "match_length": 7})
    assert {"common_idempotencykey.body", "accounts_user.username"} <= set(places_that_name(NAME))
    assert IdempotencyKey.objects.count() == 1

    accounts.close_account(person)
    assert places_that_name(NAME) == []
    assert not IdempotencyKey.objects.exists()
    person.refresh_from_db()
    disputed.refresh_from_db()
    assert (disputed.one_statement, disputed.two_statement) == ("Mine did not.", "My phone died.")


def test_what_is_open_is_called_off() -> None:
    person, opponent, ladder = factories.make_player(), factories.make_player(), factories.make_ladder()
    mine, _ = arranged.challenge(person, opponent.username, ladder, match_length=5)
    theirs, _ = arranged.challenge(opponent, person.username, ladder, match_length=7)
    ticket = queued(person)
    invites.create(person, ladder, match_length=5)
    blocks.block(person, factories.make_player().username)
    blocks.block(factories.make_player(), person.username)
    accounts.close_account(person)
    assert {match.state for match in Match.objects.filter(pk__in=[mine.pk, theirs.pk])} == {State.CANCELLED}
    assert Ticket.objects.get(pk=ticket.pk).state == "stopped"
    assert not Invite.objects.exists()
    assert not Block.objects.exists()


def test_no_match_starts_against_a_closed_account(monkeypatch: pytest.MonkeyPatch) -> None:
    person, opponent, ladder = factories.make_player(), factories.make_player(), factories.make_ladder()
    match, _ = arranged.challenge(person, opponent.username, ladder, match_length=5)
    with monkeypatch.context() as patch:
        patch.setattr(offers, "cancel_if_not_allowed", lambda match_id: False)  # as if the process ended before this
        accounts.close_account(person)
    outcome = offers.accept(match.pk, opponent)
    assert (outcome.match.state, outcome.match.void_reason) == (State.CANCELLED, "called_off")


def test_events_follow_an_account_that_is_closed_or_renamed() -> None:
    person, opponent = factories.make_player(NAME), factories.make_player()
    factories.confirmed_match(person, opponent)

    def names() -> dict[str, str]:
        (happened,) = [
            it for it in read_events_after(StreamPosition(opponent.pk, 0)).events if it.kind == "match_confirmed"
        ]
        return {field: happened.data[field] for field in ("opponent", "winner")}

    assert names() == {"opponent": NAME, "winner": NAME}
    User.objects.filter(pk=person.pk).update(username="renamed01")
    assert names() == {"opponent": "renamed01", "winner": "renamed01"}
    accounts.close_account(person)
    person.refresh_from_db()
    assert names() == {"opponent": person.username, "winner": person.username}


def test_stored_answers_with_the_name_are_deleted() -> None:
    person, opponent, _ladder = factories.make_player(NAME), factories.make_player(), factories.make_ladder()
    client = clients.player(opponent, **{"Idempotency-Key": "a"})
    body = {"opponent": NAME, "ladder": "backgammon", "match_length": 7}
    assert client.post("challenges", body).status_code == 201
    accounts.close_account(person)
    assert places_that_name(NAME) == []
    assert client.post("challenges", body).status_code == 404


def test_a_closed_account_cannot_be_blocked() -> None:
    person = factories.make_player()
    accounts.close_account(person)
    person.refresh_from_db()
    with pytest.raises(NotFound):
        blocks.block(factories.make_player(), person.username)
