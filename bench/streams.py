"""Event streams: the effect of a thousand open streams on the API, and the time to deliver an event."""

from __future__ import annotations

import subprocess
import time
from datetime import timedelta
from statistics import median, quantiles
from typing import TYPE_CHECKING

import django

from bench import load, report, server
from bench.listeners import Listeners
from config.open_files import allow_open_files

if TYPE_CHECKING:
    from accounts.models import User

STREAMS = 1_000
ROUNDS = 3
CONNECTIONS = 8
SINGLE_EVENTS = 50
PATIENCE = 30.0


def run(seconds: float) -> None:
    django.setup()
    allow_open_files(4 * STREAMS)
    from accounts.models import User
    from bench import population

    population.migrate()
    population.create_standings(STREAMS)
    accounts = list(User.objects.order_by("pk"))
    streams = [load.get("/api/v1/events", {"Authorization": f"Bearer {key}"}) for key in sign_in(accounts)]
    reads = [load.get("/api/v1/ladders")] * 200_000
    report.title(f"Event streams ({STREAMS:,} on one process with {server.THREADS} threads)")
    alone, beside, memory, opening = [], [], [], []
    with server.web(workers=1) as port:
        load.measure(port, reads, connections=CONNECTIONS, seconds=1)
        for _ in range(ROUNDS):
            alone.append(load.measure(port, reads, connections=CONNECTIONS, seconds=seconds / ROUNDS))
            before, began = _memory(port), time.perf_counter()
            with Listeners(port, streams) as listeners:
                opening.append(time.perf_counter() - began)
                memory.append((_memory(port) - before) / STREAMS)
                beside.append(load.measure(port, reads, connections=CONNECTIONS, seconds=seconds / ROUNDS))
        with Listeners(port, streams) as listeners:
            single = [_delivery_times(listeners, [account])[0] for account in accounts[:SINGLE_EVENTS]]
            everyone = [_delivery_times(listeners, accounts) for _ in range(ROUNDS)]
    (rate, p99), (rate_beside, p99_beside) = (
        tuple(median(each) for each in zip(*rounds, strict=True)) for rounds in (alone, beside)
    )
    report.figure(f"reads, no stream, {CONNECTIONS} connections", rate, "/s", note=f"p99 {p99:.1f} ms")
    report.figure("reads beside the streams", rate_beside, "/s", limit=rate, note=f"p99 {p99_beside:.1f} ms")
    report.figure("opening the streams", STREAMS / median(opening), "/s")
    report.figure("memory of a stream, the first time", memory[0], "KiB")
    report.figure("commit to receipt, one account", 1000 * median(single), "ms", note=_p99(single))
    times = [second for each in everyone for second in each]
    report.figure(f"commit to receipt, {STREAMS:,} accounts at once", 1000 * median(times), "ms", note=_p99(times))


def _delivery_times(listeners: Listeners, accounts: list[User]) -> list[float]:
    """Write an event for each account in one transaction. Returns the seconds from its commit to each receipt."""
    from django.db import transaction

    from events.services import writing as events
    from ladder.event_kinds import MATCH_STARTED

    listeners.received.clear()
    with transaction.atomic():
        events.write_events(MATCH_STARTED, {account.pk: {"opponent": account.pk} for account in accounts})
    committed = time.perf_counter()
    while len(listeners.received) < len(accounts):
        if time.perf_counter() - committed > PATIENCE:
            raise RuntimeError(f"{len(listeners.received)} of {len(accounts)} events came")
        time.sleep(0.002)
    return [received - committed for received in listeners.received]


def sign_in(accounts: list[User]) -> list[str]:
    """The access tokens of these accounts."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    store = SessionStore()
    sessions = [
        Session(
            session_key=f"{account.pk:032}",
            session_data=store.encode(
                {
                    SESSION_KEY: str(account.pk),
                    BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
                    HASH_SESSION_KEY: account.get_session_auth_hash(),
                }
            ),
            expire_date=timezone.now() + timedelta(days=1),
        )
        for account in accounts
    ]
    return [session.session_key for session in Session.objects.bulk_create(sessions)]


def _memory(port: int) -> int:
    """The memory of the web server's processes, in KiB."""
    listed = subprocess.run(["ps", "-A", "-o", "rss=,args="], capture_output=True, text=True, check=True).stdout
    return sum(int(line.split()[0]) for line in listed.splitlines() if f"--port {port} " in line)


def _p99(seconds: list[float]) -> str:
    return f"p99 {1000 * quantiles(seconds, n=100)[98]:.0f} ms"
