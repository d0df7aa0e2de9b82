"""The token for the address of a stream: it is only for the events of one session, and expires."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import override_settings

from accounts.models import User
from events.streams import tokens
from tests import clients

pytestmark = pytest.mark.django_db

PATHS = ("events", "events/poll")


def token_for(client: clients.Client) -> str:
    answer = client.post("events/token")
    assert answer.status_code == 200
    token: str = answer.json()["token"]
    return token


def statuses(token: str, **headers: str) -> set[int]:
    client = clients.anonymous(**headers)
    return {client.get(path, {"token": token}).status_code for path in PATHS}


def test_it_opens_streams_and_polls(player: User) -> None:
    assert statuses(token_for(clients.player(player))) == {200}


def test_it_is_refused_elsewhere(player: User) -> None:
    token = token_for(clients.player(player))
    client = clients.anonymous()
    assert client.get("me", {"token": token}).status_code == 401
    assert client.post(f"events/token?token={token}").status_code == 401
    for path in ("me", *PATHS):
        assert client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert client.get("/_allauth/app/v1/auth/session", headers={"X-Session-Token": token}).status_code in (401, 410)


def test_it_does_not_show_the_access_token(player: User) -> None:
    access = clients.token_of(player)
    token = token_for(clients.anonymous(Authorization=f"Bearer {access}"))
    assert access not in token
    assert access.encode() not in base64.urlsafe_b64decode(token)


def test_it_ends(player: User) -> None:
    with time_machine.travel("2026-01-05T12:00:00Z", tick=False) as clock:
        answer = clients.player(player).post("events/token").json()
        assert datetime.fromisoformat(answer["expires_at"]) == datetime.fromisoformat("2026-01-06T00:00:00Z")
        clock.shift(timedelta(hours=12))
        assert statuses(answer["token"]) == {200}
        clock.shift(timedelta(seconds=1))
        assert statuses(answer["token"]) == {401}


def test_it_ends_with_the_sign_in(player: User) -> None:
    token = token_for(clients.player(player))
    Session.objects.all().delete()
    assert statuses(token) == {401}


def test_it_ends_with_the_password(player: User) -> None:
    token = token_for(clients.player(player))
    player.set_password("another one 43")
    player.save()
    assert statuses(token) == {401}


@pytest.mark.parametrize("token", ["", "x", "\x00", "ü", "a" * 5000, "gAAAAA=="])
def test_invalid_tokens_are_refused(token: str) -> None:
    answer = clients.anonymous().get("events/poll", {"token": token})
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


def test_changed_tokens_are_refused(player: User) -> None:
    token = token_for(clients.player(player))
    for place in (0, 20, len(token) // 2, len(token) - 10):
        other = "A" if token[place] != "A" else "B"
        assert statuses(token[:place] + other + token[place + 1 :]) == {401}


def test_a_token_of_another_installation_is_refused(player: User) -> None:
    access = clients.token_of(player)
    with override_settings(SECRET_KEY="another" * 10):
        token, _ = tokens.issue(access)
    assert statuses(token) == {401}
    with override_settings(SECRET_KEY_FALLBACKS=["another" * 10]):
        assert statuses(token) == {200}


def test_the_header_is_used_first(player: User) -> None:
    token = token_for(clients.player(player))
    assert statuses(token, Authorization="Bearer nonsense") == {401}
    assert statuses("nonsense", Authorization=f"Bearer {clients.token_of(player)}") == {200}
