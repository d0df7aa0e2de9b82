"""Several callers at once. Each is a process with its own connection."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from statistics import quantiles
from typing import Any, NamedTuple

import django


class Measured(NamedTuple):
    """Calls per second, and the 99th percentile and maximum of their durations in milliseconds."""

    rate: float
    p99: float
    worst: float


def measure(callers: int, seconds: float, work: Callable[[Any], object], items: Sequence[Any]) -> Measured:
    """Call ``work`` with the ``items`` in several processes."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(callers)
    results: Any = context.Queue()
    processes = [
        context.Process(target=_caller, args=(barrier, seconds, work, items[n::callers], results))
        for n in range(callers)
    ]
    for process in processes:
        process.start()
    outcomes = [results.get(timeout=seconds + 120) for _ in processes]
    for process in processes:
        process.join()
    rate = sum(len(times) / elapsed for times, elapsed in outcomes)
    times = [each for times, _ in outcomes for each in times]
    return Measured(rate, quantiles(times, n=100)[98] * 1000, max(times) * 1000)


def _caller(barrier: Any, seconds: float, work: Callable[[Any], object], items: Sequence[Any], results: Any) -> None:
    django.setup()
    work(items[0])  # the first call opens the connection
    barrier.wait()
    times = []
    started = time.perf_counter()
    for item in items[1:]:
        before = time.perf_counter()
        if before - started > seconds:
            break
        work(item)
        times.append(time.perf_counter() - before)
    else:
        raise RuntimeError("more items are needed for this long a measurement")
    results.put((times, time.perf_counter() - started))
