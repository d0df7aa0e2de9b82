"""A worker killed before any statement of the nightly job, or of taking days back: the next one leaves the same behind.

Each kill point has a ladder of its own, and a child process that ends itself with SIGKILL there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from common import sql
from events.models import Event
from ladder.models import DecayRun, Ladder, RatingEntry
from ladder.services import decay
from ladder.services.decay import reversing, runs, statements
from tests import factories
from tests.concurrency.test_killed import killed_after
from tests.decay_days import FIRST, START, clock, history, idle, old_ladder, run_on, runs_of

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

SECOND = FIRST + timedelta(days=1)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reversing, runs):
        monkeypatch.setattr(module, "STANDINGS_PER_DECAY_BATCH", 2)


@pytest.fixture
def superuser() -> User:
    return factories.make_player("root01", is_staff=True, is_superuser=True)


def eve(slug: str) -> Ladder:
    """A ladder on the eve of the first night, on which three will pay, and one be told."""
    ladder = old_ladder(slug, made=START + timedelta(days=27))
    for rating in ("1000.50", "950.00", "800.40"):
        idle(ladder, rating)
    idle(ladder, "900.00", START + timedelta(days=3))
    run_on(ladder, FIRST - timedelta(days=1))
    return ladder


def morning_after(slug: str) -> Ladder:
    """The same, with two nights charged."""
    ladder = eve(slug)
    run_on(ladder, SECOND)
    return ladder


def resume(ladder: Ladder) -> None:
    """The next tick: again and again while the server has not noticed yet that the dead worker's connection is gone."""
    for _ in range(100):
        try:
            decay.bring_up_to_date(ladder)
        except decay.DecayRunning:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the lock of a dead worker is still held")


def left_behind(ladder: Ladder) -> list[object]:
    """Everything but ids and times."""
    events = Event.objects.filter(data__ladder=ladder.slug).values_list("data__starts_on", "data__rating")
    pauses = [pause.reversed_at is not None for pause in ladder.decay_pauses.all()]
    return [history(ladder), runs_of(ladder), sorted(events), pauses]


def kill_everywhere(make: Callable[[str], Ladder], work: Callable[[Ladder], object]) -> tuple[int, int]:
    """Kill the work at each of its statements and finish it; how many there are, and how many different ruins."""
    whole = make("whole")
    work(whole)
    resume(whole)
    ruins = set()
    for kills in count():
        ladder = make(f"killed-{kills}")
        killed = killed_after(kills, lambda ladder=ladder: work(ladder))  # type: ignore[misc]
        ruins.add(str(left_behind(ladder)))
        resume(ladder)
        if killed and left_behind(ladder) != left_behind(whole):
            # It died before anybody knew of it: then it is for the person to ask again.
            assert left_behind(ladder) == left_behind(make(f"untouched-{kills}"))
            work(ladder)
            resume(ladder)
        assert left_behind(ladder) == left_behind(whole)
        if not killed:
            return kills, len(ruins)
    raise AssertionError


def test_killed_anywhere_in_two_days(superuser: User) -> None:
    with clock(SECOND):
        points, ruins = kill_everywhere(eve, decay.bring_up_to_date)
    assert points > 30
    assert ruins >= 7  # each of two days: begun, first batch, both; and the notice
    assert RatingEntry.objects.filter(kind="decay").count() == (points + 2) * 5


def test_killed_anywhere_in_reversing_a_run(superuser: User) -> None:
    def reverse(ladder: Ladder) -> None:
        run = DecayRun.objects.get(ladder=ladder, day=FIRST)
        decay.reverse_run(run, actor=superuser, reason="The clock was wrong.")

    with clock(SECOND):
        points, ruins = kill_everywhere(morning_after, reverse)
    assert points > 8
    assert ruins >= 4


def test_killed_anywhere_in_giving_a_pause_back(superuser: User) -> None:
    def paused(slug: str) -> Ladder:
        ladder = morning_after(slug)
        decay.declare_pause(ladder, first_day=FIRST, last_day=SECOND, actor=superuser, reason="The server was down.")
        return ladder

    with clock(SECOND):
        points, ruins = kill_everywhere(paused, decay.bring_up_to_date)
    assert points > 8
    assert ruins >= 4


def test_were_the_counts_a_transaction_of_their_own_a_kill_would_lose_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def query_and_commit(statement: str, parameters: sql.Parameters) -> list[tuple[Any, ...]]:
        rows = sql.query(statement, parameters)
        if statement == statements.DECAY_BATCH:
            connection.connection.commit()
        return rows

    monkeypatch.setattr(runs, "sql", SimpleNamespace(query=query_and_commit))
    with clock(SECOND), pytest.raises(AssertionError):
        kill_everywhere(eve, decay.bring_up_to_date)
    charged = RatingEntry.objects.filter(kind="decay", day=FIRST).count()
    assert sum(DecayRun.objects.filter(day=FIRST).values_list("standings", flat=True)) < charged
