"""Without an event loop: streams and polls send what is there and end, and the client connects again."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from accounts.models import User
from events.limits import EVENTS_PER_READ
from events.models import Presence
from tests import clients
from tests.events.streams.stream import delivered, until, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]


def ask(live_server: Any, account: User, path: str) -> bytes:
    headers = {"Authorization": f"Bearer {clients.token_of(account)}"}
    request = urllib.request.Request(f"{live_server.url}/api/v1/{path}", headers=headers)
    content: bytes = urllib.request.urlopen(request, timeout=10).read()
    return content


def test_a_stream(live_server: Any, player: User) -> None:
    write(player, EVENTS_PER_READ + 2)
    assert ask(live_server, player, "events") == b"retry: 2000\nid: %d\n\n" % (EVENTS_PER_READ + 2)
    assert delivered(player) == 0
    blocks = ask(live_server, player, "events?after=1").decode().split("\n\n")
    assert blocks[0] == "retry: 2000\nid: 1"
    assert [block.split("\n")[0] for block in blocks[1:-1]] == [f"id: {n}" for n in range(2, EVENTS_PER_READ + 3)]
    assert delivered(player) == EVENTS_PER_READ + 2
    assert Presence.objects.filter(account=player).exists()


def test_a_poll(live_server: Any, player: User) -> None:
    assert json.loads(ask(live_server, player, "events/poll?after=0")) == {"events": [], "last": 0, "reset": False}
    write(player)
    page = json.loads(ask(live_server, player, "events/poll?after=0"))
    assert [event["number"] for event in page["events"]] == [1]
    until(lambda: delivered(player) == 1)


def test_a_poll_with_events_is_delivered_when_the_server_reads_it(player: User) -> None:
    write(player)
    nothing, something = (clients.player(player).get("events/poll", {"after": after}) for after in (1, 0))
    assert json.loads(b"".join(nothing)) == {"events": [], "last": 1, "reset": False}
    assert delivered(player) == 0
    assert json.loads(b"".join(something))["last"] == 1
    assert delivered(player) == 1
