"""The nightly job: bring a ladder up to date.

It may be started twice, late, by hand and by the clock, and killed at any point. A day is a row in ``DecayRun``; days
are worked off in order, each in batches that commit on their own, together with the run's counts. A batch charges only
what is still due under its locks, so whoever resumes repeats nothing. The advisory lock keeps a second worker from
doing the same work; charging does not rest on it, taking back does (docs/locking.md).
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
from ladder.models import DecayRun, Ladder
from ladder.queries.decay_progress import decays, first_day, is_paused, next_day, today
from ladder.rules import calendar
from ladder.services.decay import notices, reversing, statements
from ladder.services.decay.locks import Busy, alone

log = logging.getLogger(__name__)

# Settlements of the players in a batch wait until it commits: about 30 ms for a thousand.
BATCH = 1_000


def bring_up_to_date(
    ladder: Ladder, *, through: date | None = None, progress: Callable[[date, int], object] = lambda *_: None
) -> list[DecayRun]:
    """Work off, in order, every day that is due, up to today in the ladder's time zone (or ``through``).

    Gives the runs it finished. ``progress`` is told of each batch: the day, and how many standings were charged.
    Raises ``Busy`` when another worker is at it, ``Invalid`` for a day in the future or before the ladder existed.
    """
    if not decays(ladder):
        return []
    last = check_day(ladder, through)
    with alone(ladder):
        reversing.finish_open(ladder)
        due = list(calendar.days(next_day(ladder), last, ladder.zone))
        return [_work_off(ladder, day, progress) for day in due]


def bring_all_up_to_date() -> int:
    """Bring every ladder up to date, except where another worker is at it; how many days were worked off."""
    days = 0
    for ladder in Ladder.objects.order_by("pk"):
        try:
            days += len(bring_up_to_date(ladder))
        except Busy:
            continue
        except Exception:
            # One ladder that cannot be worked off must not keep all others waiting.
            log.exception("decay failed", extra={"ladder": ladder.slug})
    return days


def check_day(ladder: Ladder, day: date | None) -> date:
    """The day up to which to work: today, or an earlier one since the ladder exists."""
    if day is None:
        return today(ladder)
    if day > today(ladder):
        raise Invalid("day_in_the_future", f"{day} has not begun yet in {ladder.time_zone}.", field="date")
    if day < first_day(ladder):
        raise Invalid(
            "day_before_the_ladder", f"The ladder was made on {first_day(ladder)}, after {day}.", field="date"
        )
    return day


def _work_off(ladder: Ladder, day: date, progress: Callable[[date, int], object]) -> DecayRun:
    run, _ = DecayRun.objects.get_or_create(ladder=ladder, day=day, defaults={"started_at": timezone.now()})
    if day == today(ladder):
        # Before the day is finished, so that no notice is lost to a crash; for days gone by it would come too late.
        notices.write(ladder)
    if is_paused(ladder, day):
        return _finish(ladder, run, DecayRun.State.PAUSED)
    try:
        _charge(ladder, run, progress)
    except Exception as error:
        DecayRun.objects.filter(pk=run.pk).update(error=f"{type(error).__name__}: {error}")
        raise
    return _finish(ladder, run, DecayRun.State.COMPLETED)


def _charge(ladder: Ladder, run: DecayRun, progress: Callable[[date, int], object]) -> None:
    parameters = statements.parameters(ladder, run.day) | {"size": BATCH}
    # A second round finds only what another worker was killed over; it ends when nothing is due.
    while oldest := sql.query(statements.OLDEST_DUE, parameters)[0][0]:
        parameters |= statements.since(ladder, oldest, run.day)
        after = 0
        for (until,) in sql.query(statements.BATCH_ENDS, parameters):
            with transaction.atomic(durable=True):
                count = _charge_batch(run, parameters | {"after": after, "until": until, "now": timezone.now()})
            progress(run.day, count)
            after = until


def _charge_batch(run: DecayRun, parameters: dict[str, object]) -> int:
    tiers = sql.query(statements.CHARGE_BATCH, parameters)
    count: int = sum(standings for _, standings, _ in tiers)
    if count:
        held = DecayRun.objects.select_for_update().get(pk=run.pk)
        for tier, standings, points in tiers:
            before = held.by_tier.get(tier, {"standings": 0, "points": "0.00"})
            held.by_tier[tier] = {
                "standings": before["standings"] + standings,
                "points": str(Decimal(before["points"]) + points),
            }
        held.standings = F("standings") + count
        held.points = F("points") + sum(points for _, _, points in tiers)
        held.save(update_fields=["standings", "points", "by_tier"])
    return count


def _finish(ladder: Ladder, run: DecayRun, state: DecayRun.State) -> DecayRun:
    DecayRun.objects.filter(pk=run.pk, state=DecayRun.State.RUNNING).update(
        state=state, finished_at=timezone.now(), error=""
    )
    run.refresh_from_db()
    log.info("decay of %s on %s: %s, %s standings, %s points", ladder.slug, run.day, state, run.standings, run.points)
    return run
