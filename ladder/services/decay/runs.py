"""The nightly job: run all days of decay that are due.

It may be started late or twice, and be killed at any time. Each day is a row of ``DecayRun``. The days are run in
order, in batches. Each batch is a transaction, which also updates the counts of the run. A batch changes only standings
for which the day is still due after they are locked, so nothing is done twice. For reversals, this is ensured by the
lock of the ladder's decay instead (docs/locking.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from common import sql
from common.errors import Invalid
from ladder.limits import STANDINGS_PER_DECAY_BATCH
from ladder.models import DecayRun, Ladder
from ladder.queries.decay import first_day, has_decay, is_paused, next_day, today
from ladder.rules import calendar
from ladder.services.decay import notices, reversing, statements
from ladder.services.decay.locks import DecayRunning, decay_lock

log = logging.getLogger(__name__)


def bring_up_to_date(
    ladder: Ladder, *, through: date | None = None, progress: Callable[[date, int], object] = lambda *_: None
) -> list[DecayRun]:
    """Run all days that are due, up to today in the ladder's time zone (or ``through``). Returns the finished runs.

    ``progress`` is called after each batch, with the day and the number of standings that it changed. Raises
    ``DecayRunning`` while another worker runs decay, and ``Invalid`` for a day in the future or before the ladder.
    """
    if not has_decay(ladder):
        return []
    last = check_day(ladder, through)
    with decay_lock(ladder):
        reversing.finish_reversals(ladder)
        due = list(calendar.days(next_day(ladder), last, ladder.zone))
        return [_run_day(ladder, day, progress) for day in due]


def bring_all_up_to_date() -> int:
    """Run the days that are due on all ladders, except where another worker does it. Returns the number of days."""
    days = 0
    for ladder in Ladder.objects.order_by("pk"):
        try:
            days += len(bring_up_to_date(ladder))
        except DecayRunning:
            continue
        except Exception:
            # An error on one ladder must not stop the others.
            log.exception("decay failed", extra={"ladder": ladder.slug})
    return days


def check_day(ladder: Ladder, day: date | None) -> date:
    """The last day to run: ``day``, or today. Raises ``Invalid`` for a day in the future or before the ladder."""
    if day is None:
        return today(ladder)
    if day > today(ladder):
        raise Invalid("day_in_the_future", f"{day} has not started yet in {ladder.time_zone}.", field="date")
    if day < first_day(ladder):
        raise Invalid(
            "day_before_the_ladder", f"The ladder was created on {first_day(ladder)}, after {day}.", field="date"
        )
    return day


def _run_day(ladder: Ladder, day: date, progress: Callable[[date, int], object]) -> DecayRun:
    run, _ = DecayRun.objects.get_or_create(ladder=ladder, day=day, defaults={"started_at": timezone.now()})
    if day == today(ladder):
        # Before the run is finished, so that a crash loses no notice. For earlier days, notices would be late.
        notices.write_notices(ladder)
    if is_paused(ladder, day):
        return _finish(ladder, run, DecayRun.State.PAUSED)
    try:
        _run_batches(ladder, run, progress)
    except Exception as error:
        DecayRun.objects.filter(pk=run.pk).update(error=f"{type(error).__name__}: {error}")
        raise
    return _finish(ladder, run, DecayRun.State.COMPLETED)


def _run_batches(ladder: Ladder, run: DecayRun, progress: Callable[[date, int], object]) -> None:
    parameters = statements.parameters(ladder, run.day) | {"size": STANDINGS_PER_DECAY_BATCH}
    # A second round is for standings that are due only since the first round began.
    while oldest := sql.query(statements.OLDEST_DUE, parameters)[0][0]:
        parameters |= statements.since(ladder, oldest, run.day)
        after = 0
        for (until,) in sql.query(statements.BATCH_ENDS, parameters):
            with transaction.atomic(durable=True):
                count = _run_batch(run, parameters | {"after": after, "until": until, "now": timezone.now()})
            progress(run.day, count)
            after = until


def _run_batch(run: DecayRun, parameters: dict[str, object]) -> int:
    tiers = sql.query(statements.DECAY_BATCH, parameters)
    count: int = sum(standings for _, standings, _ in tiers)
    if count:
        locked = DecayRun.objects.select_for_update().get(pk=run.pk)
        for tier, standings, points in tiers:
            before = locked.by_tier.get(tier, {"standings": 0, "points": "0.00"})
            locked.by_tier[tier] = {
                "standings": before["standings"] + standings,
                "points": str(Decimal(before["points"]) + points),
            }
        locked.standings = F("standings") + count
        locked.points = F("points") + sum(points for _, _, points in tiers)
        locked.save(update_fields=["standings", "points", "by_tier"])
    return count


def _finish(ladder: Ladder, run: DecayRun, state: DecayRun.State) -> DecayRun:
    DecayRun.objects.filter(pk=run.pk, state=DecayRun.State.RUNNING).update(
        state=state, finished_at=timezone.now(), error=""
    )
    run.refresh_from_db()
    log.info("decay of %s on %s: %s, %s standings, %s points", ladder.slug, run.day, state, run.standings, run.points)
    return run
