"""Players hear of their first decay three days ahead."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from ladder.models import Event, Ladder
from ladder.rules import calendar, decay
from ladder.services import sql
from ladder.services.decay.statements import DAY_OF
from ladder.services.decay.status import today

# Whoever was told once about this first day is not told again; a match in between makes another first day.
_WRITE = f"""
    WITH warned AS MATERIALIZED (
        SELECT id FROM ladder_standing
        WHERE ladder_id = %(ladder)s AND rating > %(floor)s::numeric
          AND last_ranked_at >= %(since)s::timestamptz AND last_ranked_at < %(before)s::timestamptz
    )
    INSERT INTO ladder_event (account_id, kind, data, once, created_at)
    SELECT s.player_id, %(kind)s::text,
           jsonb_build_object('ladder', %(slug)s::text, 'starts_on', due.starts_on, 'rating', s.rating::text),
           'decay:' || s.ladder_id || ':' || due.starts_on, %(now)s::timestamptz
    FROM warned JOIN ladder_standing s USING (id)
    CROSS JOIN LATERAL (
        SELECT {DAY_OF.format(moment="s.last_ranked_at")} + %(grace)s::int AS starts_on
    ) AS due
    ON CONFLICT DO NOTHING
"""


def write(ladder: Ladder) -> int:
    """Write the notices that are due today; how many were new. The ladder has a tier that decays."""
    now = today(ladder)
    first_day = now + calendar.ONE_DAY - timedelta(days=decay.GRACE_DAYS)
    last_day = now + timedelta(days=decay.NOTICE_DAYS - decay.GRACE_DAYS)
    day_starts = calendar.starts(first_day, last_day, ladder.zone)
    return sql.execute(
        _WRITE,
        {
            "kind": Event.Kind.DECAY_AHEAD,
            "slug": ladder.slug,
            "ladder": ladder.pk,
            "grace": decay.GRACE_DAYS,
            "floor": decay.floor(ladder.rules.tiers),
            "since": day_starts[0],
            "before": calendar.start_of(last_day + calendar.ONE_DAY, ladder.zone),
            "first_day": first_day,
            "day_starts": day_starts,
            "now": timezone.now(),
        },
    )
