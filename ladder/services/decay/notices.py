"""Players hear of their first decay three days ahead."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone

from ladder.models import Event, Ladder
from ladder.rules import calendar, decay
from ladder.services import sql
from ladder.services.decay.status import is_paused, today

# Whoever was told once about this first day is not told again; a match in between makes another first day.
_WRITE = """
    WITH warned AS MATERIALIZED (
        SELECT id FROM ladder_standing
        WHERE ladder_id = %(ladder)s AND rating > %(floor)s::numeric
          AND last_ranked_at >= %(since)s::timestamptz AND last_ranked_at < %(before)s::timestamptz
    )
    INSERT INTO ladder_event (account_id, kind, data, once, created_at)
    SELECT s.player_id, %(kind)s::text,
           jsonb_build_object('ladder', %(slug)s::text, 'starts_on', %(starts_on)s::date, 'rating', s.rating::text),
           'decay:' || s.ladder_id || ':' || %(starts_on)s::date, %(now)s::timestamptz
    FROM warned JOIN ladder_standing s USING (id)
    ON CONFLICT DO NOTHING
"""


def write(ladder: Ladder) -> int:
    """Write the notices that are due today; how many were new. The ladder has a tier that decays."""
    now = today(ladder)
    ahead = calendar.days(now + calendar.ONE_DAY, now + timedelta(days=decay.NOTICE_DAYS), ladder.zone)
    return sum(_write(ladder, day) for day in ahead if not is_paused(ladder, day))


def _write(ladder: Ladder, starts_on: date) -> int:
    """Tell those whose first charge this day will be: it is their first day, or a pause spares all days before it."""
    first_due = starts_on
    while is_paused(ladder, first_due - calendar.ONE_DAY):
        first_due -= calendar.ONE_DAY
    grace = timedelta(days=decay.GRACE_DAYS)
    return sql.execute(
        _WRITE,
        {
            "kind": Event.Kind.DECAY_AHEAD,
            "slug": ladder.slug,
            "ladder": ladder.pk,
            "starts_on": starts_on,
            "floor": decay.floor(ladder.rules.tiers),
            "since": calendar.start_of(first_due - grace, ladder.zone),
            "before": calendar.start_of(starts_on - grace + calendar.ONE_DAY, ladder.zone),
            "now": timezone.now(),
        },
    )
