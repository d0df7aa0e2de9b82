"""The SQL of decay. Each batch is one statement, and no rows are sent to Python.

A batch locks the standings of a range of ids in ascending order, as all transactions do (docs/locking.md). PostgreSQL
reads each row again after it has the lock. So the conditions are true for the locked rows: there is no decay for a
player whose match has just settled, and not twice for the same day.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from ladder.models import Ladder
from ladder.rules import calendar, decay

_DUE = """
    s.ladder_id = %(ladder)s AND s.rating > %(floor)s::numeric AND s.last_ranked_at < %(cutoff)s::timestamptz
    AND (s.decayed_through IS NULL OR s.decayed_through < %(day)s::date)
"""
# The same as ladder.rules.decay.nightly_step; tests compare the two.
_STEP = """
    least((SELECT tier.step FROM unnest(%(edges)s::numeric[], %(steps)s::numeric[]) AS tier (edge, step)
           WHERE tier.edge <= {rating} ORDER BY tier.edge DESC LIMIT 1), {rating} - %(floor)s::numeric)
"""
_TIER = """
    (SELECT tier.name FROM unnest(%(edges)s::numeric[], %(names)s::text[]) AS tier (edge, name)
     WHERE tier.edge <= {rating} ORDER BY tier.edge DESC LIMIT 1)
"""
# The calendar day of a time. The parameter gives the first moment of each day from ``first_day`` on, because the
# database can have another version of the time zones than Python.
DAY_OF = "%(first_day)s::date + width_bucket({moment}, %(day_starts)s::timestamptz[]) - 1"

# The last id of each batch. The ranges are determined before any row is locked.
BATCH_ENDS = f"""
    SELECT max(id) FROM (
        SELECT s.id, (row_number() OVER (ORDER BY s.id) - 1) / %(size)s::int AS batch
        FROM ladder_standing s WHERE {_DUE}
    ) AS due GROUP BY batch ORDER BY 1
"""
DECAY_BATCH = f"""
    WITH due AS MATERIALIZED (
        SELECT s.id, s.rating, s.experience, s.last_sequence, s.last_ranked_at
        FROM ladder_standing s
        WHERE s.id > %(after)s::bigint AND s.id <= %(until)s::bigint AND {_DUE}
          AND s.last_ranked_at >= %(oldest)s::timestamptz
        ORDER BY s.id FOR UPDATE
    ), step AS (
        SELECT id, rating, experience, last_sequence + 1 AS sequence, {_STEP.format(rating="rating")} AS step,
               {_TIER.format(rating="rating")} AS tier, {DAY_OF.format(moment="last_ranked_at")} AS idle_since
        FROM due
    ), updated AS (
        UPDATE ladder_standing s
        SET rating = s.rating - step.step, last_sequence = step.sequence, decayed_through = %(day)s::date
        FROM step WHERE s.id = step.id
    ), inserted AS (
        INSERT INTO ladder_ratingentry (
            standing_id, sequence, kind, day, idle_since, before, delta, after, experience_before, experience_after,
            rule_set, rule_set_version, basis, reason, created_at
        )
        SELECT id, sequence, 'decay', %(day)s::date, idle_since, rating, -step, rating - step, experience, experience,
               %(rule_set)s::text, %(rule_set_version)s::smallint, '{{}}', '', %(now)s::timestamptz
        FROM step
    )
    SELECT tier, count(*), sum(step) FROM step GROUP BY tier
"""
# The earliest last match of the standings that are due; null if there are none.
OLDEST_DUE = f"SELECT min(s.last_ranked_at) FROM ladder_standing s WHERE {_DUE}"


def parameters(ladder: Ladder, day: date) -> dict[str, Any]:
    """The parameters of the statements for one day, on a ladder with decay."""
    rules = ladder.rules
    # The last ranked match must be before this moment.
    return {
        "ladder": ladder.pk,
        "day": day,
        "cutoff": calendar.start_of(day - timedelta(days=decay.GRACE_DAYS - 1), ladder.zone),
        "floor": decay.floor(rules.tiers),
        "edges": [tier.edge for tier in rules.tiers],
        "steps": [tier.nightly_decay for tier in rules.tiers],
        "names": [tier.name for tier in rules.tiers],
        "rule_set": rules.name,
        "rule_set_version": rules.version,
    }


def since(ladder: Ladder, oldest: datetime, day: date) -> dict[str, Any]:
    """The days on which last matches can be, from ``oldest`` to ``day``, as further parameters.

    A standing whose last match has become an earlier one meanwhile is changed in the next round.
    """
    first_day = calendar.day_of(oldest, ladder.zone)
    return {
        "oldest": oldest,
        "first_day": first_day,
        "day_starts": calendar.starts(first_day, day, ladder.zone),
    }
