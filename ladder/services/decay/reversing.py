"""Charged days are taken back by exact opposite entries, each at most once.

What is still to be taken back stands in the database (a run being reverted, a pause not settled yet), so a worker that
is killed leaves it to the next one. Batches commit on their own, as those that charge do.
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
from ladder.models import DecayPause, DecayRun, Ladder
from ladder.queries.decay_progress import next_day
from ladder.services.decay.locks import Busy, alone

BATCH = 1_000

_CHARGED = """
    FROM ladder_ratingentry e JOIN ladder_standing s ON s.id = e.standing_id
    WHERE s.ladder_id = %(ladder)s AND e.kind = 'decay' AND e.day BETWEEN %(first)s::date AND %(last)s::date
      AND NOT EXISTS (SELECT 1 FROM ladder_ratingentry r WHERE r.reverses_id = e.id)
"""
_NEXT_BATCH = f"SELECT max(id) FROM (SELECT DISTINCT s.id {_CHARGED} ORDER BY s.id LIMIT %(size)s::int) AS charged"
# A standing may have several of the days: its reversals are numbered and added up in the order of the entries.
_REVERSE_BATCH = f"""
    WITH held AS MATERIALIZED (
        SELECT s.id, s.rating, s.experience, s.last_sequence FROM ladder_standing s
        WHERE s.id IN (SELECT s.id {_CHARGED} AND s.id <= %(until)s::bigint)
        ORDER BY s.id FOR UPDATE
    ), charged AS (
        SELECT e.id, e.standing_id, e.sequence, e.day, e.delta, e.rule_set, e.rule_set_version
        {_CHARGED} AND s.id <= %(until)s::bigint
    ), given_back AS (
        SELECT c.*, h.experience, h.last_sequence + row_number() OVER entries AS number,
               h.rating - sum(c.delta) OVER entries AS after
        FROM charged c JOIN held h ON h.id = c.standing_id
        WINDOW entries AS (PARTITION BY c.standing_id ORDER BY c.sequence)
    ), moved AS (
        UPDATE ladder_standing s
        SET rating = g.after, peak_rating = greatest(s.peak_rating, g.after), last_sequence = g.number
        FROM (SELECT standing_id, max(after) AS after, max(number) AS number FROM given_back GROUP BY standing_id) g
        WHERE s.id = g.standing_id
    )
    INSERT INTO ladder_ratingentry (
        standing_id, sequence, kind, day, reverses_id, before, delta, after, experience_before, experience_after,
        rule_set, rule_set_version, basis, actor_id, reason, created_at
    )
    SELECT standing_id, number, 'reversal', day, id, after + delta, -delta, after, experience, experience,
           rule_set, rule_set_version, '{{}}', %(actor)s::bigint, %(reason)s::text, %(now)s::timestamptz
    FROM given_back ORDER BY standing_id, number
"""


@dataclass(frozen=True, slots=True)
class Charged:
    """What days of decay took and nothing has given back yet: from how many standings, and how many points."""

    standings: int
    points: Decimal


def charged(ladder: Ladder, first: date, last: date) -> Charged:
    """What reverting the days from ``first`` to ``last``, both included, would give back."""
    days = {"ladder": ladder.pk, "first": first, "last": last}
    return Charged(*sql.query(f"SELECT count(DISTINCT s.id), -coalesce(sum(e.delta), 0.00) {_CHARGED}", days)[0])


def revert_run(run: DecayRun, *, actor: User, reason: str) -> DecayRun:
    """Take back everything that one run charged. Superusers only; audited; exactly once.

    Raises ``Forbidden``, ``Invalid`` without a reason, ``Conflict`` unless the run is completed.
    """
    if not (actor.is_active and actor.is_superuser):
        raise Forbidden("not_a_superuser", _("Only superusers revert a decay run."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")
    with transaction.atomic():
        claimed = DecayRun.objects.filter(pk=run.pk, state=DecayRun.State.COMPLETED).update(
            state=DecayRun.State.REVERTING, reverted_by=actor, revert_reason=reason
        )
        if not claimed:
            raise Conflict("run_not_completed", _("Only a completed run can be reverted, and only once."))
        audit.record(actor, "decay.revert", run, reason=reason, data={"day": str(run.day)})
    # Whoever is at it now, or the next one who brings the ladder up to date, takes this up too.
    with suppress(Busy), alone(run.ladder):
        finish_open(run.ladder)
    run.refresh_from_db()
    return run


def owes(ladder: Ladder) -> bool:
    """Whether a run being reverted, or a pause declared late, has still to give something back."""
    return (
        DecayRun.objects.filter(ladder=ladder, state=DecayRun.State.REVERTING).exists()
        or DecayPause.objects.filter(ladder=ladder, settled_at__isnull=True, first_day__lt=next_day(ladder)).exists()
    )


def finish_open(ladder: Ladder) -> int:
    """Take back what runs being reverted and pauses declared late still owe; how many entries. The caller is alone."""
    count = 0
    for run in DecayRun.objects.filter(ladder=ladder, state=DecayRun.State.REVERTING):
        count += _reverse(ladder, run.day, run.day, actor_id=run.reverted_by_id, reason=run.revert_reason)
        DecayRun.objects.filter(pk=run.pk).update(state=DecayRun.State.REVERTED)
    for pause in DecayPause.objects.filter(ladder=ladder, settled_at__isnull=True):
        count += _reverse(ladder, pause.first_day, pause.last_day, actor_id=pause.declared_by_id, reason=pause.reason)
        DecayPause.objects.filter(pk=pause.pk).update(settled_at=timezone.now())
    return count


def _reverse(ladder: Ladder, first: date, last: date, *, actor_id: int | None, reason: str) -> int:
    parameters = {
        "ladder": ladder.pk,
        "first": first,
        "last": last,
        "actor": actor_id,
        "reason": reason,
        "size": BATCH,
    }
    count = 0
    while until := sql.query(_NEXT_BATCH, parameters)[0][0]:
        with transaction.atomic(durable=True):
            # The reversals must not be read from a snapshot older than the locks: nobody else writes them meanwhile.
            count += sql.execute(_REVERSE_BATCH, parameters | {"until": until, "now": timezone.now()})
    return count
