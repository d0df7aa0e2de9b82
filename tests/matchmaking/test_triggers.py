"""Asking for a wave: at once where the broker answers, and never at the price of the request."""

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

# What hung for a minute and more; a busy machine is slow, but not so slow.
HANGS = 20


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """A broker for this test alone, so that it may be stopped."""
    with throwaway(durable=False, variables=["REDIS_URL"]) as urls:
        monkeypatch.setattr(current_app.conf, "broker_url", urls["REDIS_URL"])
        monkeypatch.setattr(current_app.conf, "broker_write_url", urls["REDIS_URL"])
        background._broker.cache_clear()
        monkeypatch.setattr(background, "_paused_until", 0.0)
        with Redis.from_url(urls["REDIS_URL"]) as redis:
            yield redis
        background._broker.cache_clear()


def ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask as if the broker had not been found away a moment ago; fails where that hangs."""
    monkeypatch.setattr(background, "_paused_until", 0.0)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(HANGS)
    try:
        background.run_soon(pair_waiting)
    finally:
        signal.alarm(0)


def test_a_worker_finds_it(broker: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(monkeypatch)
    assert broker.llen("celery") == 1


@pytest.mark.parametrize("how", ["does not answer", "is gone"])
def test_a_broker_that_is_away_holds_nobody_up(broker: Redis, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    pid = broker.info("server")["process_id"]
    ask(monkeypatch)
    os.kill(pid, signal.SIGSTOP if how == "does not answer" else signal.SIGKILL)
    try:
        ask(monkeypatch)
        assert background._paused_until > 0
        background.run_soon(pair_waiting)  # leaves it alone for a while
    finally:
        if how == "does not answer":
            os.kill(pid, signal.SIGCONT)
