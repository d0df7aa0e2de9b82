"""The chart of a rating under decay, day by day, with the tiers in the background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from common.charts import FONT, library
from ladder.rules import decay
from ladder.rules.rounding import whole_points
from ladder.rules.tiers import Tier, tier_of

if TYPE_CHECKING:
    import altair

WIDTH, HEIGHT = 760, 340
INK, MUTED, LINE = "#1f2937", "#6b7280", "#047857"
BANDS = {
    "bronze": "#f6e5d6", "silver": "#eceff2", "gold": "#fdf3cf", "platinum": "#def4f2", "diamond": "#e3edfe",
    "master": "#f2e7fe",
}  # fmt: skip
PLAYED = date(2026, 1, 1)  # any day: only the number of days since then matters


def ratings_by_day(tiers: Sequence[Tier], rating: Decimal, days: int) -> Iterator[tuple[int, Decimal]]:
    """The rating on each day after the last ranked match, from day 0 to ``days``."""
    for number in range(days + 1):
        rating -= decay.decay(tiers, rating, PLAYED, PLAYED + timedelta(days=number))
        yield number, rating


def chart(tiers: Sequence[Tier], rating: Decimal, days: int) -> altair.LayerChart:
    """The chart of ``days`` days without a ranked match, from ``rating`` on. Raises ``CannotDraw``."""
    alt = library()
    line = [{"day": day, "rating": float(value)} for day, value in ratings_by_day(tiers, rating, days)]
    floor = float(decay.floor(tiers) or 0)
    low, high = min(floor, line[-1]["rating"]) - 20, float(rating) + 20
    x = alt.X("day:Q", title="days since the last ranked match", scale=alt.Scale(domain=[0, days], nice=False),
              axis=alt.Axis(grid=False, values=list(range(0, days + 1, 7 if days <= 150 else 28))))  # fmt: skip
    y = alt.Y("rating:Q", title="rating", scale=alt.Scale(domain=[low, high], nice=False, zero=False),
              axis=alt.Axis(format="d", tickCount=8))  # fmt: skip

    def data(rows: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=rows))

    bands = data(list(_bands(tiers, low, high)))
    first_day = data([{"day": decay.GRACE_DAYS, "text": f"day {decay.GRACE_DAYS}: the first day of decay"}])
    floors = data([{"rating": floor, "text": f"no decay below {floor:.0f}"}])
    steps = data(list(_steps(tiers, line)))
    end = data([{**line[-1], "text": str(whole_points(Decimal(str(line[-1]["rating"]))))}])
    layers = alt.layer(
        bands.mark_rect().encode(y="low:Q", y2="high:Q", color=alt.Color("colour:N", scale=None)),
        bands.mark_text(align="left", dx=8, dy=-10, color=MUTED, fontWeight="bold").encode(
            x=alt.value(0), y="low:Q", text="tier:N"
        ),
        floors.mark_rule(color=MUTED, strokeDash=[2, 3]).encode(y="rating:Q"),
        floors.mark_text(align="right", dx=-8, dy=10, color=INK).encode(
            x=alt.value("width"), y="rating:Q", text="text:N"
        ),
        first_day.mark_rule(color=MUTED, strokeDash=[5, 4]).encode(x="day:Q"),
        first_day.mark_text(align="left", dx=6, dy=11, color=INK).encode(x="day:Q", y=alt.value(0), text="text:N"),
        data(line)
        .mark_line(interpolate="step-after", strokeWidth=2.5, color=LINE)
        .encode(x=x, y=y, tooltip=["day:Q", "rating:Q"]),
        steps.mark_text(align="left", dx=8, dy=-8, color=LINE, fontWeight="bold").encode(
            x="day:Q", y="rating:Q", text="text:N"
        ),
        end.mark_point(filled=True, size=55, color=LINE, opacity=1).encode(x="day:Q", y="rating:Q"),
        end.mark_text(align="left", dx=9, color=LINE, fontWeight="bold").encode(x="day:Q", y="rating:Q", text="text:N"),
    )
    styled: altair.LayerChart = (
        layers.properties(width=WIDTH, height=HEIGHT, background="white", padding=14)
        .configure(font=FONT)
        .configure_axis(
            labelColor=MUTED, labelFontSize=12, titleColor=INK, titleFontSize=13, titleFontWeight="normal",
            domainColor=MUTED, tickColor=MUTED, grid=False,
        )
        .configure_text(fontSize=13)
        .configure_view(stroke=None)
    )  # fmt: skip
    return styled


def _bands(tiers: Sequence[Tier], low: float, high: float) -> Iterator[dict[str, Any]]:
    """The visible part of each tier. The lowest tier has no lower limit, and the highest no upper limit."""
    edges = [low, *(float(tier.edge) for tier in tiers[1:]), high]
    for tier, (bottom, top) in zip(tiers, pairwise(edges), strict=True):
        bottom, top = max(bottom, low), min(top, high)
        if bottom < top:
            yield {
                "tier": tier.name, "low": bottom, "high": top, "colour": BANDS.get(tier.name, "#f3f4f6"),
            }  # fmt: skip


def _steps(tiers: Sequence[Tier], line: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The points of one day, as a label in the middle of the days with the same points."""
    stretches: dict[int, list[dict[str, Any]]] = {}
    for before, after in pairwise(line):
        tier = tier_of(tiers, Decimal(str(before["rating"])))
        if tier is not None and after["rating"] < before["rating"]:
            stretches.setdefault(tier.nightly_decay, []).append(after)
    for step, days in stretches.items():
        yield {**days[len(days) // 2], "text": f"-{step} a day".replace("-", "−")}
