"""Calls that truly run at once: a thread and a connection each, and gates that hold them where a race would show.

A race is never left to luck here. A gate is an advisory lock in the database that the test holds: calls run into it in
their critical section, the test waits until all of them stand still, at the gate or behind each other's locks, and
only then opens it. How many stood at the gate says how many were in the critical section together.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any, NamedTuple

import pytest
from django.db import connection, connections
from django.db.models import Model, QuerySet

from common.errors import Refusal
from ladder.services import settlement
from ladder.services.ledger import locking as ledger_locking
from ladder.services.matches import locking, rulings

Call = Callable[[], Any]

GATE = 20251

AT_GATE = f"""
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = {GATE} AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
STANDING_STILL = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


class Callers:
    """Threads that keep their connections from one round to the next."""

    def __init__(self, number: int) -> None:
        self._pool = ThreadPoolExecutor(number)
        self._number = number

    def start(self, *calls: Call) -> list[Future[Any]]:
        """Let all calls begin at the same moment."""
        barrier = Barrier(len(calls))

        def run(call: Call) -> Any:
            barrier.wait(10)
            return call()

        return [self._pool.submit(run, call) for call in calls]

    def at_once(self, *calls: Call) -> list[Any]:
        """What each call gave, in order: its answer, or the exception it ended with."""
        return results(self.start(*calls))

    def close(self) -> None:
        everyone = Barrier(self._number)

        def leave() -> None:
            connections.close_all()
            everyone.wait(10)  # so that each thread does this once

        for future in [self._pool.submit(leave) for _ in range(self._number)]:
            future.result()
        self._pool.shutdown()


def results(futures: list[Future[Any]]) -> list[Any]:
    return [future.exception(30) or future.result() for future in futures]


def errors_of(answers: list[Any]) -> list[BaseException]:
    return [answer for answer in answers if isinstance(answer, BaseException)]


def refusal(answer: Any) -> str:
    """The code that a call was refused with."""
    assert isinstance(answer, Refusal), repr(answer)
    return answer.code


class Gate:
    """Calls that reach the gate wait there until the test opens it."""

    def __init__(self) -> None:
        self._holder = connection.copy()
        self._sql(f"SELECT pg_advisory_lock({GATE})")

    def wait_for(self, calls: int, or_done: Future[Any] | None = None) -> int:
        """Wait until so many calls stand still in the database; how many of them stand at the gate.

        Or until that one call is done, if it does not stand still.
        """
        patience = time.monotonic() + 10
        while self._sql(STANDING_STILL) < calls and not (or_done and or_done.done()):
            assert time.monotonic() < patience, "the calls did not come to a halt"
            time.sleep(0.005)
        return int(self._sql(AT_GATE))

    def open(self) -> None:
        self._sql("SELECT pg_advisory_unlock_all()")

    def close(self) -> None:
        self._holder.close()

    def _sql(self, statement: str) -> Any:
        with self._holder.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()[0]


def pass_gate() -> None:
    """Wait at the gate while it is closed; the lock is given back at the end of the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock_shared({GATE})")


@contextmanager
def gate() -> Iterator[Gate]:
    closed = Gate()
    try:
        yield closed
    finally:
        closed.close()


def meet(threads: Callers, *calls: Call) -> tuple[int, list[Any]]:
    """How many of the calls were in the critical section together, and what each gave."""
    with gate() as closed:
        running = threads.start(*calls)
        together = closed.wait_for(len(calls))
        closed.open()
        return together, results(running)


class Overtaken(NamedTuple):
    """Whether ``fast`` was done while ``slow`` stood at the gate, and what both gave."""

    passed: bool
    slow: Any
    fast: Any


def overtake(threads: Callers, slow: Call, fast: Call) -> Overtaken:
    """Hold ``slow`` at the gate until ``fast`` is done, or waits for it."""
    with gate() as closed:
        (first,) = threads.start(slow)
        assert closed.wait_for(1) == 1
        (second,) = threads.start(fast)
        closed.wait_for(2, or_done=second)
        passed = second.done()
        closed.open()
        return Overtaken(passed, *results([first, second]))


def gate_before(patch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Put the gate in front of a function."""
    function = getattr(owner, name)

    def gated(*arguments: Any, **named: Any) -> Any:
        pass_gate()
        return function(*arguments, **named)

    patch.setattr(owner, name, gated)


def gate_after(patch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Put the gate where a function returns."""
    function = getattr(owner, name)

    def gated(*arguments: Any, **named: Any) -> Any:
        answer = function(*arguments, **named)
        pass_gate()
        return answer

    patch.setattr(owner, name, gated)


def gate_after_locking_standings(patch: pytest.MonkeyPatch) -> None:
    """Put the gate where ratings have been read and are not yet written."""
    for module in (settlement, rulings):
        gate_after(patch, module, "lock_standings_of_match")


def without_row_locks(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Take the locks away: the same statements read without ``FOR UPDATE``."""
    for name in names or ("_LOCK_MATCH", "_LOCK_MATCH_AND_STANDINGS", "_LOCK"):
        module = ledger_locking if name == "_LOCK" else locking
        statement, taken_away = re.subn(r"FOR UPDATE( OF \w+)?", "", getattr(module, name))
        assert taken_away
        patch.setattr(module, name, statement)


def without_locks_on(patch: pytest.MonkeyPatch, model: type[Model]) -> None:
    """Take away ``select_for_update`` on this model."""
    lock = QuerySet.select_for_update

    def lock_others(queryset: QuerySet[Any], **options: Any) -> QuerySet[Any]:
        return queryset.all() if queryset.model is model else lock(queryset, **options)

    patch.setattr(QuerySet, "select_for_update", lock_others)
