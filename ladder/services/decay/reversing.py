"""Reversing days of decay by exact opposite entries, each at most once.

Open reversals are stored in the database (a run in state ``reversing``, a pause without ``reversed_at``). So after a
worker was killed, the next one finishes them. Each batch is a transaction.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common import sql
from common.errors import Conflict, Forbidden, Invalid
from ladder.limits import STANDINGS_PER_DECAY_BATCH
from ladder.models import DecayPause, DecayRun, Ladder
from ladder.queries.decay import next_day
from ladder.services.decay.locks import DecayRunning, decay_lock

_UNREVERSED = """
    FROM ladder_ratingentry e JOIN ladder_standing s ON s.id = e.standing_id
    WHERE s.ladder_id = %(ladder)s AND e.kind = 'decay' AND e.day BETWEEN %(first)s::date AND %(last)s::date
      AND NOT EXISTS (SELECT 1 FROM ladder_ratingentry r WHERE r.reverses_id = e.id)
"""
_NEXT_BATCH = f"SELECT max(id) FROM (SELECT DISTINCT s.id {_UNREVERSED} ORDER BY s.id LIMIT %(size)s::int) AS standing"
# A standing can have decay on several of the days. The reversals have the order of the entries.
_REVERSE_BATCH = f"""
    WITH locked AS MATERIALIZED (
        SELECT s.id, s.rating, s.experience, s.last_sequence FROM ladder_standing s
        WHERE s.id IN (SELECT s.id {_UNREVERSED} AND s.id <= %(until)s::bigint)
        ORDER BY s.id FOR UPDATE
    ), original AS (
        SELECT e.id, e.standing_id, e.sequence, e.day, e.delta, e.rule_set, e.rule_set_version
        {_UNREVERSED} AND s.id <= %(until)s::bigint
    ), reversal AS (
        SELECT c.*, h.experience, h.last_sequence + row_number() OVER entries AS number,
               h.rating - sum(c.delta) OVER entries AS after
        FROM original c JOIN locked h ON h.id = c.standing_id
        WINDOW entries AS (PARTITION BY c.standing_id ORDER BY c.sequence)
    ), updated AS (
        UPDATE ladder_standing s
        SET rating = g.after, peak_rating = greatest(s.peak_rating, g.after), last_sequence = g.number
        FROM (SELECT standing_id, max(after) AS after, max(number) AS number FROM reversal GROUP BY standing_id) g
        WHERE s.id = g.standing_id
    )
    INSERT INTO ladder_ratingentry (
        standing_id, sequence, kind, day, reverses_id, before, delta, after, experience_before, experience_after,
        rule_set, rule_set_version, basis, actor_id, reason, created_at
    )
    SELECT standing_id, number, 'reversal', day, id, after + delta, -delta, after, experience, experience,
           rule_set, rule_set_version, '{{}}', %(actor)s::bigint, %(reason)s::text, %(now)s::timestamptz
    FROM reversal ORDER BY standing_id, number
"""


@dataclass(frozen=True, slots=True)
class DecayTotal:
    """Standings with decay, and the points that they lost."""

    standings: int
    points: Decimal


def unreversed_decay(ladder: Ladder, first: date, last: date) -> DecayTotal:
    """The decay of the days from ``first`` to ``last``, both included, that is not reversed."""
    days = {"ladder": ladder.pk, "first": first, "last": last}
    return DecayTotal(*sql.query(f"SELECT count(DISTINCT s.id), -coalesce(sum(e.delta), 0.00) {_UNREVERSED}", days)[0])


def reverse_run(run: DecayRun, *, actor: User, reason: str) -> DecayRun:
    """Reverse the decay of one run. Only superusers; recorded in the audit trail.

    Raises ``Forbidden``, ``Invalid`` without a reason, and ``Conflict`` unless the run is completed.
    """
    if not (actor.is_active and actor.is_superuser):
        raise Forbidden("not_a_superuser", _("Only superusers can reverse a decay run."))
    if not reason.strip():
        raise Invalid("reason_required", _("A reason is required. The players can read it."), field="reason")
    with transaction.atomic():
        claimed = DecayRun.objects.filter(pk=run.pk, state=DecayRun.State.COMPLETED).update(
            state=DecayRun.State.REVERSING, reversed_by=actor, reversal_reason=reason
        )
        if not claimed:
            raise Conflict("run_not_completed", _("Only a completed run can be reversed, and only once."))
        audit.record(actor, "decay.reverse", run, reason=reason, data={"day": str(run.day)})
    # If another worker holds the lock, the next run of the nightly job finishes the reversal.
    with suppress(DecayRunning), decay_lock(run.ladder):
        finish_reversals(run.ladder)
    run.refresh_from_db()
    return run


def has_open_reversals(ladder: Ladder) -> bool:
    """Whether a run or a late pause still has decay to reverse."""
    return (
        DecayRun.objects.filter(ladder=ladder, state=DecayRun.State.REVERSING).exists()
        or DecayPause.objects.filter(ladder=ladder, reversed_at__isnull=True, first_day__lt=next_day(ladder)).exists()
    )


def finish_reversals(ladder: Ladder) -> int:
    """Finish all open reversals. The caller holds the lock of the ladder's decay. Returns the number of entries."""
    count = 0
    for run in DecayRun.objects.filter(ladder=ladder, state=DecayRun.State.REVERSING):
        count += _reverse(ladder, run.day, run.day, actor_id=run.reversed_by_id, reason=run.reversal_reason)
        DecayRun.objects.filter(pk=run.pk).update(state=DecayRun.State.REVERSED)
    for pause in DecayPause.objects.filter(ladder=ladder, reversed_at__isnull=True):
        count += _reverse(ladder, pause.first_day, pause.last_day, actor_id=pause.declared_by_id, reason=pause.reason)
        DecayPause.objects.filter(pk=pause.pk).update(reversed_at=timezone.now())
    return count


def _reverse(ladder: Ladder, first: date, last: date, *, actor_id: int | None, reason: str) -> int:
    parameters = {
        "ladder": ladder.pk,
        "first": first,
        "last": last,
        "actor": actor_id,
        "reason": reason,
        "size": STANDINGS_PER_DECAY_BATCH,
    }
    count = 0
    while until := sql.query(_NEXT_BATCH, parameters)[0][0]:
        with transaction.atomic(durable=True):
            # The statement reads reversals from before its row locks. That is right, because only we write reversals.
            count += sql.execute(_REVERSE_BATCH, parameters | {"until": until, "now": timezone.now()})
    return count
