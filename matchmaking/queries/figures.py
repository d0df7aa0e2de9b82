"""Figures about the queues and their offers, for metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from common import sql
from ladder.models import Ladder
from matchmaking.queries.queue import first_match_id_since


@dataclass(frozen=True, slots=True)
class QueueSize:
    """The number of waiting tickets of a ladder, and the longest and median wait in seconds."""

    ladder: str
    tickets: int
    longest: float
    median: float


_SIZES = """
    SELECT l.slug, count(t.id), coalesce(max(t.waited), 0)::float8,
           coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.waited), 0)::float8
    FROM ladder_ladder l
    LEFT JOIN (
        SELECT id, ladder_id, greatest(extract(epoch FROM %(now)s - waiting_since), 0)::float8 AS waited
        FROM matchmaking_ticket WHERE state = 'waiting'
    ) t ON t.ladder_id = l.id
    GROUP BY l.slug ORDER BY l.slug
"""


def queue_sizes() -> list[QueueSize]:
    """The current queue of each ladder."""
    return [QueueSize(*row) for row in sql.query(_SIZES, {"now": timezone.now()})]


OUTCOMES = ("open", "started", "declined", "expired", "called_off")


@dataclass(frozen=True, slots=True)
class OfferFigures:
    """Figures about the offers of one ladder in a period.

    ``waited`` is in seconds, over both players of each offer. ``unfairness`` is the difference of the win probability
    from 0.5. Without offers they are ``None``.
    """

    ladder: str
    outcomes: dict[str, int]
    faults: dict[str, int]
    waited_median: float | None
    waited_p95: float | None
    unfairness_mean: float | None
    unfairness_p95: float | None


_OFFERS = f"""
    SELECT m.ladder_id, {", ".join(f"count(*) FILTER (WHERE o.outcome = '{outcome}')" for outcome in OUTCOMES)},
           avg(abs(o.win_probability - 0.5)),
           percentile_cont(0.95) WITHIN GROUP (ORDER BY abs(o.win_probability - 0.5))
    FROM matchmaking_offer o JOIN ladder_match m ON m.id = o.match_id
    WHERE o.match_id >= %(first_id)s AND o.created_at >= %(since)s GROUP BY 1
"""
_WAITED = """
    SELECT m.ladder_id, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY s.waited)
    FROM matchmaking_offerside s JOIN ladder_match m ON m.id = s.offer_id
    WHERE s.offer_id >= %(first_id)s AND m.created_at >= %(since)s GROUP BY 1
"""
_FAULTS = """
    SELECT m.ladder_id, count(*) FILTER (WHERE p.fault = 'declined'), count(*) FILTER (WHERE p.fault = 'unanswered')
    FROM matchmaking_penalty p JOIN ladder_match m ON m.id = p.match_id
    WHERE p.match_id >= %(first_id)s AND p.created_at >= %(since)s GROUP BY 1
"""


def offer_figures(period: timedelta) -> list[OfferFigures]:
    """Figures about the offers of each ladder that were created in the period."""
    since = timezone.now() - period
    parameters = {"since": since, "first_id": first_match_id_since(since)}
    offers = _by_ladder(_OFFERS, parameters)
    waited = _by_ladder(_WAITED, parameters)
    faults = _by_ladder(_FAULTS, parameters)
    figures = []
    for ladder, slug in Ladder.objects.order_by("slug").values_list("pk", "slug"):
        *outcomes, mean, p95 = offers.get(ladder, (*[0] * len(OUTCOMES), None, None))
        (quantiles,) = waited.get(ladder, ((None, None),))
        figures.append(
            OfferFigures(
                ladder=slug,
                outcomes=dict(zip(OUTCOMES, outcomes, strict=True)),
                faults=dict(zip(("declined", "unanswered"), faults.get(ladder, (0, 0)), strict=True)),
                waited_median=quantiles[0],
                waited_p95=quantiles[1],
                unfairness_mean=mean,
                unfairness_p95=p95,
            )
        )
    return figures


def _by_ladder(statement: str, parameters: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    return {ladder: tuple(values) for ladder, *values in sql.query(statement, parameters)}
