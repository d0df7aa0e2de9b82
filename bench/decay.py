"""A day of decay of a million standings, a hundred thousand of which lose points, compared with one SQL statement."""

from __future__ import annotations

import resource
import threading
import time
from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

from bench import callers, report
from bench.settlement import settle

if TYPE_CHECKING:
    from ladder.models import Ladder

STANDINGS = 1_000_000
ROUNDS = 3
MATCHES = 30_000
DAYS = 30
LONG_AGO = timedelta(days=60)

# One standing in ten has a high rating and is idle. The ladder is old enough to have days that are due.
IDLE = """
    UPDATE ladder_standing SET rating = 820 + (id %% 300), peak_rating = 1200, last_ranked_at = now() - %s
    WHERE id %% 10 = 0
"""
# The same UPDATE and INSERT in one statement, without batches, ordered locks and counts.
BARE = """
    WITH due AS (
        SELECT id, rating, experience, last_sequence + 1 AS sequence,
               CASE WHEN rating >= 1000 THEN 3 WHEN rating >= 900 THEN 2 ELSE 1 END AS step
        FROM ladder_standing WHERE ladder_id = %s AND rating > 800 AND last_ranked_at < now() - interval '28 days'
    ), moved AS (
        UPDATE ladder_standing s SET rating = s.rating - due.step, last_sequence = due.sequence
        FROM due WHERE s.id = due.id
    )
    INSERT INTO ladder_ratingentry (standing_id, sequence, kind, day, idle_since, before, delta, after,
        experience_before, experience_after, basis, rule_set, rule_set_version, reason, created_at)
    SELECT id, sequence, 'decay', date '2000-01-02' + %s, date '2000-01-01', rating, -step, rating - step, experience,
           experience, '{}', 'fibs-600', 1, '', now() FROM due
"""


def run(seconds: float) -> None:
    django.setup()
    from bench import population
    from ladder.models import DecayRun, Ladder
    from ladder.services.decay import bring_up_to_date

    population.migrate()
    ladder = population.create_standings(STANDINGS)
    _execute(IDLE, [LONG_AGO])
    population.analyse()
    Ladder.objects.filter(pk=ladder.pk).update(created_at=ladder.created_at - timedelta(days=DAYS))
    ladder.refresh_from_db()

    report.title(f"Decay ({STANDINGS:,} standings, {STANDINGS // 10:,} of them due)")
    first = _round(ladder, 0)
    memory = _peak_memory()
    bare, ours = zip(first, *(_round(ladder, n) for n in range(1, ROUNDS)), strict=True)
    report.figure("one bare statement", median(bare), "/s")
    report.figure("the nightly job, one day", median(ours), "/s", limit=median(bare))
    growth = _peak_memory() - memory
    report.figure("memory of the job at its peak", memory, "MiB", note=f"{growth:+.1f} MiB in the days after the first")

    matches = population.create_matches(ladder, MATCHES, seed=0)
    calm = callers.measure(2, seconds / 2, settle, matches)
    report.figure("settlements without decay, 2 callers: p99", calm.p99, "ms", note=f"worst {calm.worst:.0f} ms")
    matches = population.create_matches(ladder, MATCHES, seed=1)
    beside, batches = _settle_beside(ladder, seconds / 2, matches)
    report.figure("settlements beside the job, 2 callers: p99", beside.p99, "ms", note=f"worst {beside.worst:.0f} ms")
    report.figure("a batch of the job meanwhile: median", median(batches), "ms", note=f"worst {max(batches):.0f} ms")

    bring_up_to_date(ladder)
    report.figure("nothing to do: all days were run", _milliseconds(ladder), "ms")
    _execute("UPDATE ladder_standing SET last_ranked_at = now()")
    population.analyse()
    DecayRun.objects.filter(ladder=ladder).latest("day").delete()
    report.figure("nothing to do: a new day, and no standing is due", _milliseconds(ladder), "ms")


def _round(ladder: Ladder, number: int) -> tuple[float, float]:
    """Rows per second of the single statement, and of one day of the job."""
    from ladder.services.decay import bring_up_to_date, next_day

    started = time.perf_counter()
    count = _execute(BARE, [ladder.pk, number])
    bare = count / (time.perf_counter() - started)
    started = time.perf_counter()
    (run,) = bring_up_to_date(ladder, through=next_day(ladder))
    return bare, run.standings / (time.perf_counter() - started)


def _settle_beside(
    ladder: Ladder, seconds: float, matches: list[tuple[UUID, str]]
) -> tuple[callers.Measured, list[float]]:
    """Run days of decay while settlements are measured. Also returns the times of the batches, in milliseconds."""
    from ladder.services.decay import bring_up_to_date, next_day

    measured: list[callers.Measured] = []
    settling = threading.Thread(target=lambda: measured.append(callers.measure(2, seconds, settle, matches)))
    settling.start()
    batches: list[float] = []
    while settling.is_alive():
        before = [time.perf_counter()]

        def charged(*_: object, before: list[float] = before) -> None:
            now = time.perf_counter()
            batches.append((now - before[0]) * 1000)
            before[0] = now

        if not bring_up_to_date(ladder, through=next_day(ladder), progress=charged):
            raise RuntimeError("more days are needed for this measurement")
    settling.join()
    return measured[0], batches


def _milliseconds(ladder: Ladder) -> float:
    from ladder.services.decay import bring_up_to_date

    started = time.perf_counter()
    bring_up_to_date(ladder)
    return (time.perf_counter() - started) * 1000


def _execute(statement: str, parameters: list[Any] | None = None) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        count: int = cursor.rowcount
        return count


def _peak_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
