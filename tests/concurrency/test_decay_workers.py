"""The nightly job as it really runs: workers and beats are processes of their own, with a real broker between them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone

from config.celery import app
from config.embedded.process import die_with_parent
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from ladder.tasks import bring_decay_up_to_date
from tests import factories
from tests.concurrency.racing import STANDING_STILL
from tests.decay_days import charged_days

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

PROCESSES = 5
DAYS = 3


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    patience = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < patience, "waited in vain"
        time.sleep(0.05)


class Background:
    """Celery processes on a broker that nobody else uses."""

    def __init__(self, folder: Path) -> None:
        number = 15 - int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        self.url = urlsplit(settings.REDIS_URL)._replace(path=f"/{number}").geturl()
        self.broker = redis.Redis.from_url(self.url)
        self.folder = folder
        self.numbers = count()
        self.running: list[subprocess.Popen[bytes]] = []
        self.worker: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
        with (self.folder / f"log-{next(self.numbers)}").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "tests.concurrency.hurried", *arguments],
                cwd=settings.BASE_DIR,
                env={**os.environ, "DATABASE_URL": database, "REDIS_URL": self.url, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=die_with_parent(signal.SIGKILL),
            )  # fmt: skip
        self.running.append(process)
        return process

    def ensure_worker(self) -> subprocess.Popen[bytes]:
        """A worker of five processes, the one that is there or a new one."""
        if self.worker is None:
            options = ["-c", str(PROCESSES), "-l", "INFO", "--without-mingle", "--without-gossip"]
            self.worker = self.start("worker", *options)
        return self.worker

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """End it, and all it has started, as a power cut would."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.running.remove(process)
        if process is self.worker:
            self.worker = None

    def send(self, times: int = 1) -> None:
        with app.connection_for_write(self.url) as sender:
            for _ in range(times):
                app.send_task(bring_decay_up_to_date.name, connection=sender)

    def finished(self, days: int) -> int:
        """How often a worker said that it had worked off so many days."""
        logs = "".join(path.read_text(errors="replace") for path in self.folder.glob("log-*"))
        return sum(line.endswith(f"s: {days}") for line in logs.splitlines() if "succeeded in" in line)


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    background = Background(tmp_path_factory.mktemp("celery"))
    yield background
    for process in list(background.running):
        background.kill(process)


@pytest.fixture
def background(processes: Background) -> Background:
    processes.broker.flushdb()
    for log in processes.folder.glob("log-*"):
        os.truncate(log, 0)
    return processes


def due_ladder(slug: str = "backgammon") -> Ladder:
    """A ladder of the real present with three days due, and five players who pay on each of them."""
    ladder = factories.make_ladder(slug)
    Ladder.objects.filter(pk=ladder.pk).update(created_at=timezone.now() - timedelta(days=DAYS - 1))
    for _ in range(5):
        factories.standing_at(ladder, Decimal("950.00"), timezone.now() - timedelta(days=60))
    ladder.refresh_from_db()
    return ladder


def is_up_to_date(ladder: Ladder) -> bool:
    return ladder.decay_runs.filter(state="completed").count() >= DAYS


def assert_charged_once(ladder: Ladder) -> None:
    days: list[date] = list(ladder.decay_runs.order_by("day").values_list("day", flat=True))
    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert len(days) >= DAYS
    for standing in Standing.objects.filter(ladder=ladder):
        assert charged_days(standing) == days
        assert standing.rating == 950 - 2 * len(days)
    assert set(ladder.decay_runs.values_list("standings", "points")) == {(5, Decimal("10.00"))}


@contextmanager
def held_in_the_second_batch(ladder: Ladder) -> Iterator[None]:
    """Whoever works on the first day comes to a halt in the middle of it."""
    holder = connection.copy()
    third = Standing.objects.filter(ladder=ladder).order_by("pk")[2]
    try:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            cursor.execute("SELECT 1 FROM ladder_standing WHERE id = %s FOR UPDATE", [third.pk])
        yield
    finally:
        holder.close()


def is_halted() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(STANDING_STILL)
        return bool(cursor.fetchone() == (1,))


def test_five_copies_at_once_in_five_processes(background: Background) -> None:
    ladder = due_ladder()
    background.ensure_worker()
    with held_in_the_second_batch(ladder):
        background.send(PROCESSES)
        wait_until(is_halted)
        wait_until(lambda: background.finished(0) >= PROCESSES - 1)
        assert RatingEntry.objects.count() == 2
    wait_until(lambda: background.finished(DAYS))
    assert_charged_once(ladder)


def test_a_task_that_outlasts_its_visibility_timeout_is_redelivered_to_no_effect(background: Background) -> None:
    ladder = due_ladder()
    background.ensure_worker()
    with held_in_the_second_batch(ladder):
        background.send()
        wait_until(is_halted)
        wait_until(lambda: background.finished(0))
        # With the second copy the broker takes the message as done: what is left over is for the next tick of beat.
        # (A worker says that it has succeeded a moment before it tells the broker.)
        wait_until(lambda: not background.broker.hlen("unacked"))
        assert RatingEntry.objects.count() == 2
    wait_until(lambda: background.finished(DAYS))
    assert_charged_once(ladder)


def test_a_worker_killed_in_the_middle_of_a_batch(background: Background) -> None:
    """Its task comes back to another worker, by itself."""
    ladder = due_ladder()
    worker = background.ensure_worker()
    with held_in_the_second_batch(ladder):
        background.send()
        wait_until(is_halted)
        background.kill(worker)
        assert background.broker.hlen("unacked") == 1
        assert RatingEntry.objects.count() == DecayRun.objects.get().standings == 2
    wait_until(lambda: not is_halted())
    assert RatingEntry.objects.count() == 2
    background.ensure_worker()
    wait_until(lambda: is_up_to_date(ladder) and not background.broker.hlen("unacked"))
    assert_charged_once(ladder)


def test_two_beats_and_a_broker_that_forgets_everything(background: Background) -> None:
    ladder = due_ladder()
    beats = [
        background.start("beat", "--pidfile=", "--schedule", str(background.folder / f"schedule-{n}")) for n in range(2)
    ]
    if background.worker:
        background.kill(background.worker)
    wait_until(lambda: background.broker.llen("celery") >= 4)
    background.broker.flushdb()
    background.ensure_worker()
    wait_until(lambda: is_up_to_date(ladder))
    background.broker.flushdb()
    other = due_ladder("other")
    wait_until(lambda: is_up_to_date(other) and background.finished(0) >= 4)
    for beat in beats:
        background.kill(beat)
    wait_until(lambda: not background.broker.hlen("unacked"))
    assert_charged_once(ladder)
    assert_charged_once(other)
