"""The chart of the points that decay took, by day and tier, for the chart library of the theme."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext

from ladder.limits import CHART_DAYS
from ladder.models import DecayRun
from ladder.rules.rule_sets import RULE_SETS

COLOURS = {"platinum": "#2dd4bf", "diamond": "#60a5fa", "master": "#a855f7"}
GREY = "#9ca3af"  # readable on light and dark backgrounds
OPTIONS = {
    "animation": False,
    "maintainAspectRatio": False,
    "interaction": {"mode": "index", "intersect": False},
    "plugins": {
        "legend": {
            "align": "end",
            "labels": {"boxHeight": 6, "boxWidth": 6, "usePointStyle": True, "pointStyle": "circle", "color": GREY},
        }
    },
    "scales": {
        "x": {"stacked": True, "grid": {"display": False}, "ticks": {"color": GREY, "maxRotation": 0}},
        "y": {"stacked": True, "beginAtZero": True, "border": {"display": False}, "ticks": {"color": GREY}},
    },
}


@dataclass(frozen=True, slots=True)
class Chart:
    """``data`` and ``options`` are JSON for the chart's template."""

    data: str
    options: str


def chart(ladder_id: int | None = None) -> Chart | None:
    """The last days of one ladder, or of all ladders together; ``None`` if they took no points."""
    today = timezone.now().date()
    runs = DecayRun.objects.filter(day__gt=today - timedelta(days=CHART_DAYS), standings__gt=0)
    if ladder_id is not None:
        runs = runs.filter(ladder=ladder_id)
    totals = list(runs.order_by("day").values_list("day", "by_tier"))
    # In time zones east of UTC, it can be tomorrow already.
    last = max([today, *(day for day, _ in totals)])
    days = [last - timedelta(days=back) for back in reversed(range(CHART_DAYS))]
    taken: dict[str, dict[str, float]] = {}
    for day, by_tier in totals:
        for tier, sums in by_tier.items():
            points = taken.setdefault(tier, {})
            points[str(day)] = points.get(str(day), 0) + float(sums["points"])
    if not taken:
        return None
    datasets = [
        {
            "label": gettext(tier),
            "data": [round(taken[tier].get(str(day), 0), 2) for day in days],
            "backgroundColor": COLOURS.get(tier, GREY),
            "maxBarThickness": 18,
        }
        for tier in tiers_in_order()
        if tier in taken
    ]
    labels = [f"{day:%m-%d}" for day in days]
    return Chart(json.dumps({"labels": labels, "datasets": datasets}), json.dumps(OPTIONS))


def tiers_in_order() -> list[str]:
    """The names of the tiers of all rule sets, the lowest first."""
    return list(dict.fromkeys(tier.name for rules in RULE_SETS.values() for tier in rules.tiers))
