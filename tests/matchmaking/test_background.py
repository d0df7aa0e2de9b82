"""Starting a wave at once: without delaying the request if the broker cannot be reached."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from celery import current_app
from redis import Redis

from common import background
from config.embedded import throwaway
from matchmaking.tasks import pair_waiting

pytestmark = pytest.mark.concurrency

# Seconds. Without our timeouts this takes more than a minute.
LONGEST = 20


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """A broker for this test only, so that it can be stopped."""
    with throwaway(durable=False, variables=["REDIS_URL"]) as urls:
        monkeypatch.setattr(current_app.conf, "broker_url", urls["REDIS_URL"])
        monkeypatch.setattr(current_app.conf, "broker_write_url", urls["REDIS_URL"])
        background._broker.cache_clear()
        monkeypatch.setattr(background, "_paused_until", 0.0)
        with Redis.from_url(urls["REDIS_URL"]) as redis:
            yield redis
        background._broker.cache_clear()


def start_wave(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a wave without a pause after an earlier failure. Fails if it takes too long."""
    monkeypatch.setattr(background, "_paused_until", 0.0)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(LONGEST)
    try:
        background.run_soon(pair_waiting)
    finally:
        signal.alarm(0)


def test_the_task_is_in_the_queue_of_the_broker(broker: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    start_wave(monkeypatch)
    assert broker.llen("celery") == 1


@pytest.mark.parametrize("how", ["does not answer", "is gone"])
def test_a_broker_that_is_down_does_not_delay_requests(
    broker: Redis, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    pid = broker.info("server")["process_id"]
    start_wave(monkeypatch)
    os.kill(pid, signal.SIGSTOP if how == "does not answer" else signal.SIGKILL)
    try:
        start_wave(monkeypatch)
        assert background._paused_until > 0
        background.run_soon(pair_waiting)  # does not try again yet
    finally:
        if how == "does not answer":
            os.kill(pid, signal.SIGCONT)
