"""The SQL of decay. No row passes through Python: each batch is one statement.

A batch locks the standings of a range of ids in ascending order (the order of all locks, docs/locking.md). PostgreSQL
re-reads each row once it holds its lock, so the conditions hold for the row as it is then: a player whose match was
settled a moment ago is not charged, and a day that another worker has just charged is not charged again.
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
# The tier's step, and never below the floor: ladder.rules.decay.nightly_step, which the tests hold this against.
_STEP = """
    least((SELECT tier.step FROM unnest(%(edges)s::numeric[], %(steps)s::numeric[]) AS tier (edge, step)
           WHERE tier.edge <= {rating} ORDER BY tier.edge DESC LIMIT 1), {rating} - %(floor)s::numeric)
"""
_TIER = """
    (SELECT tier.name FROM unnest(%(edges)s::numeric[], %(names)s::text[]) AS tier (edge, name)
     WHERE tier.edge <= {rating} ORDER BY tier.edge DESC LIMIT 1)
"""
# Which day a moment fell on is the word of ladder.rules.calendar: the database may know other zones, or know them
# differently. So it is told where the days begin, from ``first_day`` on.
DAY_OF = "%(first_day)s::date + width_bucket({moment}, %(day_starts)s::timestamptz[]) - 1"

# The last id of each batch: the ranges are fixed before the first row is locked.
BATCH_ENDS = f"""
    SELECT max(id) FROM (
        SELECT s.id, (row_number() OVER (ORDER BY s.id) - 1) / %(size)s::int AS batch
        FROM ladder_standing s WHERE {_DUE}
    ) AS due GROUP BY batch ORDER BY 1
"""
CHARGE_BATCH = f"""
    WITH due AS MATERIALIZED (
        SELECT s.id, s.rating, s.experience, s.last_sequence, s.last_ranked_at
        FROM ladder_standing s
        WHERE s.id > %(after)s::bigint AND s.id <= %(until)s::bigint AND {_DUE}
          AND s.last_ranked_at >= %(oldest)s::timestamptz
        ORDER BY s.id FOR UPDATE
    ), charge AS (
        SELECT id, rating, experience, last_sequence + 1 AS sequence, {_STEP.format(rating="rating")} AS step,
               {_TIER.format(rating="rating")} AS tier, {DAY_OF.format(moment="last_ranked_at")} AS idle_since
        FROM due
    ), moved AS (
        UPDATE ladder_standing s
        SET rating = s.rating - charge.step, last_sequence = charge.sequence, decayed_through = %(day)s::date
        FROM charge WHERE s.id = charge.id
    ), written AS (
        INSERT INTO ladder_ratingentry (
            standing_id, sequence, kind, day, idle_since, before, delta, after, experience_before, experience_after,
            rule_set, rule_set_version, basis, reason, created_at
        )
        SELECT id, sequence, 'decay', %(day)s::date, idle_since, rating, -step, rating - step, experience, experience,
               %(rule_set)s::text, %(rule_set_version)s::smallint, '{{}}', '', %(now)s::timestamptz
        FROM charge
    )
    SELECT tier, count(*), sum(step) FROM charge GROUP BY tier
"""
# When the longest idle of those due played last; null when nobody is due.
OLDEST_DUE = f"SELECT min(s.last_ranked_at) FROM ladder_standing s WHERE {_DUE}"


def parameters(ladder: Ladder, day: date) -> dict[str, Any]:
    """What the statements need to know of the ladder's rules, for one day. The ladder has a tier that decays."""
    rules = ladder.rules
    # Idle for the days of grace: the last ranked match was before the first moment of the next day after that.
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
    """The days that can be somebody's last: from that of ``oldest``, the longest idle of those due on ``day``.

    Whoever is given back an older clock meanwhile is left for the next round.
    """
    first_day = calendar.day_of(oldest, ladder.zone)
    return {
        "oldest": oldest,
        "first_day": first_day,
        "day_starts": calendar.starts(first_day, day, ladder.zone),
    }
