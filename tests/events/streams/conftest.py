from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from accounts.models import User
from tests.events.streams.stream import Stream
from tests.factories import make_player
from tests.webserver import Server, serving

SHORT_INTERVALS = {
    "EVENT_HEARTBEAT_SECONDS": "1",
    "EVENT_LOOK_SECONDS": "1",
    "EVENT_CHECK_SECONDS": "1",
    "EVENT_STREAMS_PER_ACCOUNT": "3",
    "THROTTLE_READ": "",
    "THROTTLE_WRITE": "",
}

Open = Callable[..., Stream]


@pytest.fixture(scope="package")
def server(django_db_setup: None, django_db_blocker: Any) -> Iterator[Server]:
    with django_db_blocker.unblock(), serving(**SHORT_INTERVALS) as running:
        yield running


@pytest.fixture
def player() -> User:
    return make_player("player01")


@pytest.fixture
def listen(server: Server) -> Iterator[Open]:
    """Opens streams of an account, and closes them before the database is emptied."""
    with ExitStack() as stack:

        def opened(account: User, at: Server = server, **options: Any) -> Stream:
            stream = Stream.opened(at, account, **options)
            stack.callback(stream.close)
            return stream

        yield opened
