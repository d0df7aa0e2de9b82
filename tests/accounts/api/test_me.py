"""A player's own account."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session

from accounts.models import AuditEntry, User
from accounts.services import suspensions
from ladder.models import RatingEntry
from ladder.rules.ranked import Origin
from tests import clients
from tests.factories import (
    PASSWORD,
    awaiting_match,
    confirmed_match,
    make_player,
    make_players,
    offered_match,
    started_match,
)

pytestmark = pytest.mark.django_db


def test_open_matches() -> None:
    one, two = make_players(2)
    confirmed_match(one, two)
    waiting = awaiting_match(one, two)
    playing = started_match(one, two)
    offer = offered_match(two, one)
    offered_match(two, make_player())
    shown = clients.player(one).get("me").json()
    assert (shown["username"], shown["email"], shown["email_verified"]) == (one.username, one.email, False)
    assert [standing["wins"] for standing in shown["standings"]] == [1]
    assert [match["id"] for match in shown["open"]["offers"]] == [str(offer.pk)]
    assert [match["id"] for match in shown["open"]["matches"]] == [str(playing.pk), str(waiting.pk)]


def test_a_verified_address() -> None:
    player = make_player()
    EmailAddress.objects.create(user=player, email=player.email.upper(), verified=True, primary=True)
    assert clients.player(player).get("me").json()["email_verified"] is True


def test_the_language_of_my_e_mails() -> None:
    player = make_player()
    client = clients.player(player)
    assert client.patch("me", {"language": "ko"}).json()["language"] == "ko"
    assert client.patch("me", {}).json()["language"] == "ko"
    assert User.objects.get(pk=player.pk).language == "ko"
    for wrong in ({"language": "xx"}, {"language": None}, {"is_staff": True}, {"username": "other"}):
        assert client.patch("me", wrong).status_code == 422


def test_my_suspension() -> None:
    player, operator = make_player(), make_player(is_superuser=True)
    client = clients.player(player)
    assert client.get("me").json()["suspension"] is None
    until = datetime(2126, 3, 1, 12, tzinfo=UTC)
    with time_machine.travel(until - timedelta(days=1)):
        suspension = suspensions.suspend(player.pk, actor=operator, reason="Stalling.", until=until)
        shown = clients.player(player).get("me").json()["suspension"]
        assert shown == {"reason": "Stalling.", "until": "2126-03-01T12:00:00Z"}
        suspensions.lift(suspension.pk, actor=operator, reason="A mistake.")
        assert clients.player(player).get("me").json()["suspension"] is None
        suspensions.suspend(player.pk, actor=operator, reason="Again.", until=None)
        assert clients.player(player).get("me").json()["suspension"] == {"reason": "Again.", "until": None}


def test_suspended_players_can_sign_in() -> None:
    player = make_player("someone")
    suspensions.suspend(player.pk, actor=make_player(is_superuser=True), reason="Stalling.", until=None)
    credentials = {"username": "someone", "password": PASSWORD}
    assert clients.anonymous().post("/_allauth/app/v1/auth/login", credentials).status_code == 200


class TestClosing:
    def test_personal_data_is_deleted_and_the_ledger_stays(self) -> None:
        match = confirmed_match()
        player = User.objects.get(pk=match.player_one.pk)
        EmailAddress.objects.create(user=player, email=player.email, primary=True)
        client, elsewhere = clients.player(player), clients.player(player)
        answer = client.delete("me")
        assert (answer.status_code, answer.content) == (204, b"")
        assert [c.get("me").status_code for c in (client, elsewhere)] == [401, 401]
        closed = User.objects.get(pk=player.pk)
        assert closed.username.startswith("deleted-")
        assert (closed.email, closed.is_active, closed.has_usable_password()) == ("", False, False)
        assert not EmailAddress.objects.filter(user=player).exists()
        assert Session.objects.count() == 1  # the other one, which is no longer valid
        assert RatingEntry.objects.filter(standing__player=player).count() == 1
        assert AuditEntry.objects.get(action="account.close").target_id == str(player.pk)

    def test_a_closed_account_cannot_sign_in(self) -> None:
        player = make_player("someone")
        clients.player(player).delete("me")
        for name in ("someone", User.objects.get(pk=player.pk).username):
            answer = clients.anonymous().post(
                "/_allauth/app/v1/auth/login", {"username": name, "password": "correct horse 42"}
            )
            assert answer.status_code == 400

    @pytest.mark.parametrize("under_way", [offered_match, started_match, awaiting_match])
    def test_not_while_a_ranked_match_is_under_way(self, under_way: object) -> None:
        match = under_way()  # type: ignore[operator]
        client = clients.player(match.player_one)
        answer = client.delete("me")
        assert (answer.status_code, answer.json()["code"]) == (409, "match_under_way")
        assert client.get("me").status_code == 200

    def test_an_arranged_match_does_not_prevent_closing(self) -> None:
        match = started_match(origin=Origin.CHALLENGE)
        assert clients.player(match.player_one).delete("me").status_code == 204
