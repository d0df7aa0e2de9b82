"""Redis only notifies: with it, events come at once; without it, a little later."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.test import override_settings
from redis import Redis

from accounts.models import User
from config.embedded import throwaway
from tests import clients
from tests.events.streams.conftest import SHORT_INTERVALS, Open
from tests.events.streams.stream import Stream, write
from tests.webserver import serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]

LOOK_SECONDS = 2.0


@pytest.fixture
def redis() -> Iterator[str]:
    """The address of a Redis for this test only, so that it can be stopped."""
    with throwaway(durable=False, variables=["REDIS_URL"]) as urls:
        url = urls["REDIS_URL"]
        cache = {"default": {"BACKEND": "common.cache.OptionalRedisCache", "LOCATION": url}}
        with override_settings(CACHES=cache):
            yield url


def seconds_until_sent(stream: Stream, account: User) -> float:
    write(account)
    committed = time.monotonic()
    stream.next()
    return time.monotonic() - committed


def is_notified_at_once(stream: Stream, account: User) -> bool:
    """Whether some event comes before the next check. On a busy machine, single events may be late."""
    return any(seconds_until_sent(stream, account) < LOOK_SECONDS / 2 for _ in range(10))


def test_nothing_is_lost_without_redis(redis: str, listen: Open, player: User) -> None:
    with serving(**{**SHORT_INTERVALS, "REDIS_URL": redis, "EVENT_LOOK_SECONDS": str(LOOK_SECONDS)}) as server:
        stream = listen(player, at=server)
        assert is_notified_at_once(stream, player)  # the process subscribes when its first stream opens

        Redis.from_url(redis).flushall()
        assert is_notified_at_once(stream, player)

        Redis.from_url(redis).shutdown(nosave=True)
        assert seconds_until_sent(stream, player) < LOOK_SECONDS + 10
        late = listen(player, at=server, after=0)
        last = player.events.count()
        assert [frame.number for frame in late.take(last)] == list(range(1, last + 1))
        assert seconds_until_sent(late, player) < LOOK_SECONDS + 10
        assert clients.player(player).get("events/poll", {"after": last}).json()["last"] == last + 1
