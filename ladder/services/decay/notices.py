"""Events that notify players three days before their first day of decay."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils import timezone

from common import sql
from events.services import writing as events
from ladder import event_kinds
from ladder.limits import STANDINGS_PER_NOTICE_BATCH
from ladder.models import Ladder
from ladder.queries.decay import is_paused, today
from ladder.rules import calendar, decay

# One notice for each player and first day of decay. After another match, the first day is a later one.
_WRITE = f"""
    WITH new_event AS MATERIALIZED (
        SELECT s.player_id AS account_id,
               jsonb_build_object('ladder', %(slug)s::text, 'starts_on', %(starts_on)s::date, 'rating', s.rating::text)
               AS data
        FROM ladder_standing s
        WHERE s.ladder_id = %(ladder)s AND s.rating > %(floor)s::numeric
          AND s.last_ranked_at >= %(since)s::timestamptz AND s.last_ranked_at < %(before)s::timestamptz
          AND NOT EXISTS (
              SELECT 1 FROM events_event e WHERE e.account_id = s.player_id AND e.unique_key = %(event_key)s::text
          )
        LIMIT %(batch)s
    ), {events.NUMBER_EVENTS} {events.INSERT_EVENTS} RETURNING account_id
"""


def write_notices(ladder: Ladder) -> int:
    """Write the notices that are due today, on a ladder with decay. Returns the number of new ones."""
    now = today(ladder)
    days = calendar.days(now + calendar.ONE_DAY, now + timedelta(days=decay.NOTICE_DAYS), ladder.zone)
    return sum(_write(ladder, day) for day in days if not is_paused(ladder, day))


def _write(ladder: Ladder, starts_on: date) -> int:
    """Notify the players for whom this is the first day of decay, also if a pause has moved it."""
    first_day = starts_on
    while is_paused(ladder, first_day - calendar.ONE_DAY):
        first_day -= calendar.ONE_DAY
    grace = timedelta(days=decay.GRACE_DAYS)
    parameters = {
        "event_kind": event_kinds.DECAY_AHEAD.code,
        "event_key": f"decay:{ladder.pk}:{starts_on}",
        "slug": ladder.slug,
        "ladder": ladder.pk,
        "starts_on": starts_on,
        "floor": decay.floor(ladder.rules.tiers),
        "since": calendar.start_of(first_day - grace, ladder.zone),
        "before": calendar.start_of(starts_on - grace + calendar.ONE_DAY, ladder.zone),
        "batch": STANDINGS_PER_NOTICE_BATCH,
    }
    count = 0
    while rows := sql.query(_WRITE, {**parameters, "now": timezone.now()}):
        events.notify_streams(account for (account,) in rows)
        count += len(rows)
    return count
