"""The time from the second player's ticket to the event of the offer, through HTTP, broker, worker and event stream."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles

import django

from bench import load, report, server, streams
from bench.listeners import Listeners

MOST_PAIRS = 100
PATIENCE = 30.0


def run(seconds: float) -> None:
    django.setup()
    from accounts.models import User
    from bench import population
    from ladder.models import Standing

    population.migrate()
    ladder = population.create_standings(2 * MOST_PAIRS)
    Standing.objects.update(rating=700)  # so that any two players can be paired
    accounts = list(User.objects.order_by("pk"))
    tokens = streams.sign_in(accounts)
    open_stream = [load.get("/api/v1/events", {"Authorization": f"Bearer {token}"}) for token in tokens]
    report.title("From the second ticket to the offer (web, worker and broker on this machine)")
    took: list[float] = []
    with server.web(workers=1) as port, _worker(), Listeners(port, open_stream) as listeners:
        _pair(port, ladder.slug, listeners, tokens[:2])  # the first pair is not measured
        end = time.perf_counter() + seconds
        for n in range(1, MOST_PAIRS):
            if time.perf_counter() > end and len(took) >= 10:
                break
            took.append(_pair(port, ladder.slug, listeners, tokens[2 * n : 2 * n + 2]))
    note = f"p95 {1000 * quantiles(took, n=20)[18]:.0f} ms, {len(took)} pairs"
    report.figure("both have the offer", 1000 * median(took), "ms", note=note)


def _pair(port: int, ladder: str, listeners: Listeners, tokens: list[str]) -> float:
    """Two players join the queue. Returns the time from the second request to the events of both."""
    listeners.received.clear()
    for token in tokens:
        asked = time.perf_counter()
        _queue(port, ladder, token)
    while len(listeners.received) < 2:
        if time.perf_counter() - asked > PATIENCE:
            raise RuntimeError("no offer came")
        time.sleep(0.001)
    return max(listeners.received) - asked


def _queue(port: int, ladder: str, token: str) -> None:
    body = json.dumps({"ladder": ladder, "match_lengths": [5]}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    url = f"http://127.0.0.1:{port}/api/v1/matchmaking/tickets"
    urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=PATIENCE).close()


@contextmanager
def _worker() -> Iterator[None]:
    """A worker as in ``make run``, without beat: the new ticket starts the wave."""
    options = ["-c", "2", "-l", "WARNING", "--without-mingle", "--without-gossip"]
    command = [sys.executable, "-m", "celery", "--quiet", "--skip-checks", "-A", "config.celery", "worker", *options]
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.terminate()
        process.wait()
