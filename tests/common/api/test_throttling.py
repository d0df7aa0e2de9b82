"""Limits for each caller, also without the counter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import override_settings

from common.api.throttling import CallerThrottle
from common.cache import default_cache
from tests import clients
from tests.factories import make_ladder, make_player, make_service_key, offered_match

pytestmark = pytest.mark.django_db

NOWHERE = {
    "default": {
        "BACKEND": "common.cache.OptionalRedisCache",
        "LOCATION": "redis://127.0.0.1:1/0",
        "OPTIONS": {"socket_connect_timeout": 0.2},
    }
}


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"read": "3/min", "write": "2/min", "service": "4/min"})
    with time_machine.travel("2026-01-05T12:00:10Z", tick=False):
        yield


def statuses(client: clients.Client, number: int, path: str = "ladders") -> list[int]:
    return [client.get(path).status_code for _ in range(number)]


def test_too_many_requests_get_a_time_to_wait() -> None:
    client = clients.anonymous()
    assert statuses(client, 4) == [200, 200, 200, 429]
    answer = client.get("ladders")
    assert (answer.json()["code"], answer.headers["Retry-After"]) == ("throttled", "50")
    assert answer.headers["Content-Type"] == "application/problem+json"
    with time_machine.travel("2026-01-05T12:01:00Z", tick=False):
        assert statuses(client, 1) == [200]


def test_callers_and_scopes_are_counted_separately() -> None:
    make_ladder()
    one, two = clients.player(make_player()), clients.player(make_player())
    server = clients.game_server(make_service_key())
    assert statuses(one, 4)[-1] == 429
    assert statuses(two, 3) == [200, 200, 200]
    assert statuses(clients.anonymous(), 3) == [200, 200, 200]
    assert statuses(server, 5) == [200, 200, 200, 200, 429]
    match = offered_match()
    writer = clients.player(match.player_one)
    assert [writer.post(f"matches/{match.pk}/accept").status_code for _ in range(3)] == [200, 200, 429]
    assert statuses(writer, 1) == [200]


def test_a_preview_writes_nothing_and_counts_as_reading() -> None:
    make_ladder()
    client = clients.anonymous()
    body = {"match_length": 5, "players": [{}, {}]}
    assert [client.post("ladders/backgammon/preview", body).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_no_rate_means_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"read": "", "write": "", "service": ""})
    assert set(statuses(clients.anonymous(), 10)) == {200}


@override_settings(CACHES=NOWHERE)
def test_without_the_counter_requests_are_not_limited() -> None:
    assert statuses(clients.anonymous(), 6) == [200] * 6
    player = make_player()
    signed_in = clients.anonymous().post(
        "/_allauth/app/v1/auth/login", {"username": player.username, "password": "correct horse 42"}
    )
    assert signed_in.status_code == 200


@override_settings(CACHES=NOWHERE)
def test_a_cache_that_cannot_be_reached_is_empty() -> None:
    cache = default_cache()
    cache.set("key", 1)
    assert cache.get("key", "nothing") == "nothing"
    assert cache.add("key", 1)
    assert not cache.delete("key")
    assert [cache.increment("key", 60) for _ in range(3)] == [0, 0, 0]


def test_a_cache_that_can_be_reached_stores_values() -> None:
    cache = default_cache()
    assert cache.add("key", 1)
    assert not cache.add("key", 2)
    assert cache.get("key") == 1
    assert cache.delete("key")
    assert [cache.increment("key", 60) for _ in range(3)] == [1, 2, 3]
