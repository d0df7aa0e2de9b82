"""Every error is a problem document, without HTML or a stack trace. Bad input is never a 500."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db import OperationalError, connections
from django.test import Client, override_settings

from accounts.services import suspensions
from common.limits import MAX_BODY_BYTES
from ladder.models import Match
from tests import clients
from tests.factories import make_ladder, make_player, offered_match, started_match

pytestmark = pytest.mark.django_db

MEMBERS = {"type", "title", "status", "code", "detail", "errors"}


def problem(answer: Any) -> dict[str, Any]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    content: dict[str, Any] = answer.json()
    assert set(content) - {"until"} == MEMBERS
    assert (content["type"], content["status"]) == ("about:blank", answer.status_code)
    assert content["title"]
    assert content["detail"]
    return content


@pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing", "/api/v2/me", "/api/v1/me/", "/api/v1/matches/7"])
def test_an_unknown_address(path: str) -> None:
    assert problem(clients.anonymous().get(path))["code"] == "not_found"


@override_settings(DEBUG=True)
def test_an_unknown_address_while_debugging() -> None:
    assert problem(clients.anonymous().get("/api/v1/nothing"))["code"] == "not_found"


@pytest.mark.parametrize("method", ["put", "delete", "options", "patch", "post"])
def test_an_unknown_method_gets_the_allowed_ones(method: str) -> None:
    answer = getattr(clients.anonymous(), method)("ladders")
    assert (answer.status_code, problem(answer)["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "GET, HEAD"


def test_a_media_type_that_is_not_available() -> None:
    for path in ("ladders", "/api/schema"):
        answer = clients.anonymous(Accept="image/png").get(path)
        assert (answer.status_code, problem(answer)["code"]) == (406, "not_acceptable")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_is_not_said_to_be_json(content_type: str) -> None:
    match = started_match()
    answer = clients.player(match.player_one).generic(
        "POST", f"matches/{match.pk}/report", b"winner=player01", content_type=content_type
    )
    assert (answer.status_code, problem(answer)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b"\xff\xfe",
        b'{"winner": NaN}',
        b'{"winner": Infinity}',
        b'{"winner": "\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"winner": "a", "winner": "b"}',
        b"[" * 30_000,
        b'{"a":' * 10_000,
        b'{"winner": ' + b"9" * 10_000 + b"}",
        b"\x00",
    ],
)
def test_a_body_that_is_not_json(body: bytes) -> None:
    match = started_match()
    answer = clients.player(match.player_one).generic(
        "POST", f"matches/{match.pk}/report", body, content_type="application/json"
    )
    assert (answer.status_code, problem(answer)["code"]) == (400, "parse_error")


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "large"}])
def test_a_body_that_is_too_large(headers: dict[str, str]) -> None:
    match = started_match()
    for size in (MAX_BODY_BYTES + 1, 3 * 1024 * 1024):
        body = json.dumps({"winner": "x" * size})
        answer = clients.player(match.player_one).generic(
            "POST", f"matches/{match.pk}/report", body, content_type="application/json", headers=headers
        )
        assert (answer.status_code, problem(answer)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (None, None),
        ([], None),
        ("winner", None),
        (5, None),
        ({}, "winner"),
        ({"winner": None}, "winner"),
        ({"winner": 5}, "winner"),
        ({"winner": True}, "winner"),
        ({"winner": ["player01"]}, "winner"),
        ({"winner": {"$ne": 1}}, "winner"),
        ({"winner": ""}, "winner"),
        ({"winner": "\x00"}, "winner"),
        ({"winner": "x" * 151}, "winner"),
        ({"winner": "one", "loser_score": -1}, "loser_score"),
        ({"winner": "one", "loser_score": 2**63}, "loser_score"),
        ({"winner": "one", "loser_score": "3"}, "loser_score"),
        ({"winner": "one", "loser_score": True}, "loser_score"),
        ({"winner": "one", "loser_score": 1.5}, "loser_score"),
        ({"winner": "one", "loser_score": 1e300}, "loser_score"),
        ({"winner": "one", "loser_score": []}, "loser_score"),
        ({"winner": "one", "ending": "exploded"}, "ending"),
        ({"winner": "one", "ending": None}, "ending"),
        ({"winner": "one", "ending": {}}, "ending"),
        ({"winner": "one", "rating": 2000}, "rating"),
        ({"winner": "one", "\x00": 1}, "\x00"),
    ],
)
def test_each_field_that_is_wrong_is_named(body: Any, field: str | None) -> None:
    match = started_match()
    answer = clients.player(match.player_one).generic(
        "POST", f"matches/{match.pk}/report", json.dumps(body), content_type="application/json"
    )
    errors = problem(answer)["errors"]
    assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")
    assert [error["field"] for error in errors] == [field]


def test_a_number_too_large_to_be_one() -> None:
    make_ladder()
    body = b'{"match_length": 1e999, "players": [{}, {}]}'
    answer = clients.anonymous().generic("POST", "ladders/backgammon/preview", body, content_type="application/json")
    assert [error["field"] for error in problem(answer)["errors"]] == ["match_length"]


@pytest.mark.parametrize("action", ["accept", "decline", "confirm"])
def test_unknown_fields_are_refused(action: str) -> None:
    match = started_match()
    answer = clients.player(match.player_one).post(f"matches/{match.pk}/{action}", {"winner": "me"})
    assert problem(answer)["errors"] == [
        {"field": "winner", "code": "unknown_field", "detail": "There is no such field."}
    ]


def test_refusals_contain_their_field() -> None:
    match = started_match()
    answer = clients.player(match.player_one).post(f"matches/{match.pk}/report", {"winner": "nobody"})
    assert problem(answer)["errors"] == [
        {
            "field": "winner",
            "code": "winner_not_in_match",
            "detail": "The winner must be one of the two players, by username.",
        }
    ]


def suspended(until: datetime | None) -> Match:
    """An offer whose first player is suspended and cannot accept it."""
    match = offered_match()
    actor = make_player(is_superuser=True)
    suspensions.suspend(match.player_one_id, actor=actor, reason="Stalling.", until=until)
    return match


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "once"}])
def test_a_temporary_refusal_contains_its_end(headers: dict[str, str]) -> None:
    with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False) as clock:
        match = suspended(datetime(2026, 3, 1, 12, 0, 9, 1, tzinfo=UTC))
        path, client = f"matches/{match.pk}/accept", clients.player(match.player_one)
        answer = client.post(path, headers=headers)
        assert (answer.status_code, problem(answer)["until"]) == (403, "2026-03-01T12:00:09.000001Z")
        assert answer.headers["Retry-After"] == "10"
        clock.shift(9)
        assert client.post(path, headers=headers).headers["Retry-After"] == "1"
        clock.shift(1)
        assert client.post(path, headers=headers).status_code == 200


def test_a_permanent_refusal_has_no_end() -> None:
    match = suspended(None)
    answer = clients.player(match.player_one).post(f"matches/{match.pk}/accept")
    assert problem(answer)["code"] == "suspended"
    assert "until" not in answer.json()
    assert "Retry-After" not in answer.headers


def test_missing_credentials() -> None:
    missing = clients.anonymous().get("me")
    assert (missing.status_code, problem(missing)["code"]) == (401, "not_authenticated")
    assert missing.headers["WWW-Authenticate"] == 'Bearer realm="api"'
    server = clients.anonymous().post(f"server/matches/{started_match().pk}/result", {})
    assert (server.status_code, server.headers["WWW-Authenticate"]) == (401, 'ServiceKey realm="api"')


@pytest.mark.parametrize("token", ["x", "", "\x00", "a b", "ü", "a" * 5000, "ä" * 32])
@pytest.mark.parametrize("path", ["me", "ladders"])
def test_invalid_tokens_are_refused_everywhere(token: str, path: str) -> None:
    answer = clients.anonymous().get(path, headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, problem(answer)["code"]) == (401, "invalid_token")


@pytest.mark.parametrize("key", ["x", "", "\x00", "ü"])
def test_invalid_service_keys_are_refused_everywhere(key: str) -> None:
    answer = clients.game_server(key).get("ladders")
    assert (answer.status_code, problem(answer)["code"]) == (401, "invalid_service_key")


def test_an_internal_error_shows_no_details() -> None:
    make_ladder()
    for debug in (False, True):
        with (
            override_settings(DEBUG=debug),
            mock.patch("ladder.api.views.ladders.ladder_shown", side_effect=RuntimeError("secret")),
        ):
            answer = clients.anonymous().get("ladders/backgammon")
        assert (answer.status_code, problem(answer)["code"]) == (500, "server_error")
        assert "secret" not in answer.content.decode()


def test_a_database_that_cannot_be_reached() -> None:
    make_ladder()
    lost = OperationalError("the connection is lost")
    with (
        mock.patch("ladder.api.views.ladders.ladder_shown", side_effect=lost),
        mock.patch.object(connections["default"], "is_usable", return_value=False),
    ):
        answer = clients.anonymous().get("ladders/backgammon")
    assert (answer.status_code, problem(answer)["code"]) == (503, "unavailable")
    assert answer["Retry-After"] == "5"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_monitoring_addresses_allow_only_reading(path: str, method: str) -> None:
    assert getattr(Client(enforce_csrf_checks=True), method)(path).status_code == 405


def test_a_host_that_is_not_ours() -> None:
    answer = clients.anonymous(Host="elsewhere.example").get("ladders")
    assert (answer.status_code, problem(answer)["code"]) == (400, "bad_request")


def test_an_account_that_may_not_sign_in_is_refused() -> None:
    player = make_player()
    client = clients.player(player)
    assert client.get("me").status_code == 200
    player.is_active = False
    player.save()
    assert problem(client.get("me"))["code"] == "invalid_token"
