"""The long poll: the same events for whoever cannot keep a stream open."""

from __future__ import annotations

import http.client
import json
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from ladder.models import Event, EventStream, Presence, User
from ladder.queries.events import PAGE
from tests.api import clients
from tests.factories import make_player, make_players
from tests.streams.listening import tell, until
from tests.webserver import Server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]


class Poll:
    """A request that waits for its answer."""

    def __init__(self, server: Server, account: User, method: str = "GET", **query: object) -> None:
        self.began = time.monotonic()
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=40)
        headers = {"Authorization": f"Bearer {clients.token_of(account)}"}
        self._connection.request(method, f"/api/v1/events/poll?{urlencode(query)}", headers=headers)

    def answer(self) -> tuple[Any, float]:
        """What it said, and after how many seconds."""
        response = self._connection.getresponse()
        content = response.read()
        self._connection.close()
        assert response.status == 200, content
        return json.loads(content) if content else None, time.monotonic() - self.began


def numbers(page: Any) -> list[int]:
    return [event["number"] for event in page["events"]]


def test_what_there_is_at_once(server: Server, player: User) -> None:
    tell(player, 3)
    tell(make_player())
    page, seconds = Poll(server, player, after=1).answer()
    assert (numbers(page), page["last"], page["reset"]) == ([2, 3], 3, False)
    assert seconds < 5
    assert page["events"][0]["kind"] == "match_offered"


def test_without_a_number_where_to_begin(server: Server, player: User) -> None:
    assert Poll(server, player).answer()[0] == {"events": [], "last": 0, "reset": False}
    tell(player, 2)
    page, seconds = Poll(server, player).answer()
    assert page == {"events": [], "last": 2, "reset": False}
    assert seconds < 5


def test_waiting_for_what_happens(server: Server, player: User) -> None:
    poll = Poll(server, player, after=0)
    time.sleep(1.5)
    tell(player)
    page, seconds = poll.answer()
    assert numbers(page) == [1]
    assert 1.5 <= seconds < 20


def test_in_vain(server: Server, player: User) -> None:
    tell(player)
    page, seconds = Poll(server, player, after=1, timeout=1).answer()
    assert page == {"events": [], "last": 1, "reset": False}
    assert 1 <= seconds < 20
    assert Poll(server, player, after=1, timeout=0).answer()[0] == page


def test_page_by_page(server: Server, player: User) -> None:
    tell(player, PAGE + 1)
    page, _ = Poll(server, player, after=0).answer()
    assert numbers(page) == list(range(1, PAGE + 1))
    assert numbers(Poll(server, player, after=page["last"]).answer()[0]) == [PAGE + 1]


def test_what_is_missing_is_said(server: Server, player: User) -> None:
    tell(player, 3)
    Event.objects.filter(number__lte=2).delete()
    page, _ = Poll(server, player, after=1).answer()
    assert (numbers(page), page["last"], page["reset"]) == ([3], 3, True)
    page, _ = Poll(server, player, after=9).answer()
    assert page == {"events": [], "last": 3, "reset": True}


def test_waiting_takes_no_thread_from_others(server: Server) -> None:
    polls = [Poll(server, player, after=0, timeout=3) for player in make_players(20)]
    reader = make_player()
    time.sleep(1)
    began = time.monotonic()
    assert numbers(Poll(server, reader, timeout=0).answer()[0]) == []
    assert time.monotonic() - began < 2.5
    assert {poll.answer()[0]["last"] for poll in polls} == {0}


def test_what_is_written_down(server: Server, player: User) -> None:
    def delivered() -> int:
        return EventStream.objects.get(account=player).delivered_number

    tell(player)
    Poll(server, player).answer()
    assert Presence.objects.get(account=player).seen_at > timezone.now() - timedelta(seconds=10)
    Poll(server, player, "HEAD", after=0).answer()
    time.sleep(0.3)
    assert delivered() == 0
    Poll(server, player, after=0).answer()
    until(lambda: delivered() == 1)
    poll = Poll(server, player, after=1)
    time.sleep(0.5)
    tell(player)
    poll.answer()
    until(lambda: delivered() == 2)


@pytest.mark.parametrize("query", [{"after": "x"}, {"after": -1}, {"after": 2**31}, {"timeout": 31}, {"timeout": -1}])
def test_what_is_no_number(query: dict[str, Any], player: User) -> None:
    answer = clients.player(player).get("events/poll", query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_query")
    assert [error["field"] for error in answer.json()["errors"]] == list(query)
