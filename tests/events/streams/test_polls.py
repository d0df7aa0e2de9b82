"""The long poll: the same events, for clients that cannot keep a stream open."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlencode

import pytest

from accounts.models import User
from events.limits import EVENTS_PER_READ
from events.models import Event, Presence
from tests import clients
from tests.events.streams.stream import delivered, until, wait_for_recording, wait_until_seen, write
from tests.factories import make_player, make_players
from tests.webserver import Server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]


class Poll:
    """A request with a shorter timeout than the server's, so that it fails if an answer does not come at once."""

    def __init__(self, server: Server, account: User, method: str = "GET", **query: object) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        headers = {"Authorization": f"Bearer {clients.token_of(account)}"}
        self._connection.request(method, f"/api/v1/events/poll?{urlencode(query)}", headers=headers)

    def answer(self) -> Any:
        """Raises ``TimeoutError``."""
        response = self._connection.getresponse()
        content = response.read()
        self._connection.close()
        assert response.status == 200, content
        return json.loads(content) if content else None


def numbers(page: Any) -> list[int]:
    return [event["number"] for event in page["events"]]


def test_events_that_are_there_are_returned_at_once(server: Server, player: User) -> None:
    write(player, 3)
    write(make_player())
    page = Poll(server, player, after=1).answer()
    assert (numbers(page), page["last"], page["reset"]) == ([2, 3], 3, False)
    assert page["events"][0]["kind"] == "numbered"


def test_without_a_number_the_last_one_is_returned(server: Server, player: User) -> None:
    assert Poll(server, player).answer() == {"events": [], "last": 0, "reset": False}
    write(player, 2)
    assert Poll(server, player).answer() == {"events": [], "last": 2, "reset": False}


def test_waiting_for_an_event(server: Server, player: User) -> None:
    poll = Poll(server, player, after=0)
    wait_until_seen(player)
    write(player)
    assert numbers(poll.answer()) == [1]


def test_waiting_without_an_event(server: Server, player: User) -> None:
    write(player)
    began = time.monotonic()
    page = Poll(server, player, after=1, timeout=1).answer()
    assert page == {"events": [], "last": 1, "reset": False}
    assert time.monotonic() - began >= 1
    assert Poll(server, player, after=1, timeout=0).answer() == page


def test_page_by_page(server: Server, player: User) -> None:
    write(player, EVENTS_PER_READ + 1)
    page = Poll(server, player, after=0).answer()
    assert numbers(page) == list(range(1, EVENTS_PER_READ + 1))
    assert numbers(Poll(server, player, after=page["last"]).answer()) == [EVENTS_PER_READ + 1]


def test_missing_events_are_reported(server: Server, player: User) -> None:
    write(player, 3)
    Event.objects.filter(number__lte=2).delete()
    page = Poll(server, player, after=1).answer()
    assert (numbers(page), page["last"], page["reset"]) == ([3], 3, True)
    page = Poll(server, player, after=9).answer()
    assert page == {"events": [], "last": 3, "reset": True}


def test_waiting_uses_no_thread(server: Server) -> None:
    players = make_players(20)  # many more than there are threads
    polls = [Poll(server, player, after=0, timeout=30) for player in players]
    until(lambda: Presence.objects.count() == len(players))
    assert numbers(Poll(server, make_player()).answer()) == []
    for player in players:
        write(player)
    assert [numbers(poll.answer()) for poll in polls] == [[1]] * len(polls)


def test_delivery_and_presence_are_recorded(server: Server, player: User) -> None:
    write(player)
    Poll(server, player).answer()
    Poll(server, player, "HEAD", after=0).answer()
    wait_for_recording(server)
    assert delivered(player) == 0
    assert not Presence.objects.filter(account=player).exists()  # these requests did not ask for events
    Poll(server, player, after=0).answer()
    assert Presence.objects.filter(account=player).exists()
    until(lambda: delivered(player) == 1)
    poll = Poll(server, player, after=1)
    wait_until_seen(player)
    write(player)
    poll.answer()
    until(lambda: delivered(player) == 2)


@pytest.mark.parametrize("query", [{"after": "x"}, {"after": -1}, {"after": 2**31}, {"timeout": 31}, {"timeout": -1}])
def test_invalid_numbers(query: dict[str, Any], player: User) -> None:
    answer = clients.player(player).get("events/poll", query)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_query")
    assert [error["field"] for error in answer.json()["errors"]] == list(query)
