"""Charts of a simulation: ratings and skill, waiting and fairness, sizes of tiers, and calibration of probabilities.

The charts are drawn from rows, so that tests can draw them without a simulation.
"""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from common.charts import FONT, library
from ladder.charts import INK, LINE, MUTED
from ladder.models import Standing
from matchmaking.simulation.records import Record

if TYPE_CHECKING:
    import altair

    Drawing = altair.Chart | altair.LayerChart

Rows = list[dict[str, Any]]

WIDTH, HEIGHT = 640, 400
BINS = 10
ENOUGH = 10  # fewest matches for a meaningful share
# Darker than the bands of other charts, which are behind lines.
TIERS = {
    "bronze": "#c98b5a", "silver": "#a9b4bf", "gold": "#e3b93c", "platinum": "#5fb8b0", "diamond": "#5b8def",
    "master": "#9b5de5",
}  # fmt: skip


# By file name.
TITLES = {
    "rating-against-skill": "Rating against true skill",
    "waiting-against-fairness": "Waiting against fairness",
    "tier-sizes": "Tier sizes",
    "calibration": "Calibration of the win probability",
}


def charts(record: Record) -> dict[str, Drawing]:
    """All charts, by file name. Raises ``CannotDraw``."""
    library()
    return {
        "rating-against-skill": skill(skill_rows(record)),
        "waiting-against-fairness": fairness(fairness_rows(record)),
        "tier-sizes": tiers(tier_rows(record), [tier.name for tier in record.ladder.rules.tiers]),
        "calibration": calibration(calibration_rows(record)),
    }


def skill_rows(record: Record) -> Rows:
    """The true skill and the rating of each player who has played."""
    played = Standing.objects.filter(ladder=record.ladder, last_ranked_at__isnull=False)
    standings = {standing.player_id: standing for standing in played}
    return [
        {
            "player": person.account.username, "skill": float(person.skill), "rating": float(it.rating),
            "matches": it.wins + it.losses,
        }
        for person in record.people
        if (it := standings.get(person.account.pk)) is not None
    ]  # fmt: skip


def fairness_rows(record: Record) -> Rows:
    """The longer wait and the fairness of each match."""
    return [
        {"minutes": max(game.waited) / 60, "unfairness": game.unfairness, "length": game.match_length}
        for game in record.games
    ]


def tier_rows(record: Record) -> Rows:
    """The size of each tier on each morning. Empty tiers are included, because the areas need them."""
    return [
        {"day": day.isoformat(), "tier": tier.name, "players": sizes[tier.name]}
        for day, sizes in record.tiers.items()
        for tier in record.ladder.rules.tiers
    ]


def calibration_rows(record: Record) -> Rows:
    """Matches grouped by the favourite's predicted probability, with the share of wins and twice its standard error."""
    seen = sorted(
        (max(game.predicted, 1 - game.predicted), game.one_won == (game.predicted >= 0.5)) for game in record.games
    )
    rows: Rows = []
    for _, group in groupby(seen, key=lambda it: int((it[0] - 0.5) * 2 * BINS * 2)):
        matches = list(group)
        count = len(matches)
        if count >= ENOUGH:
            predicted, observed = (sum(column) / count for column in zip(*matches, strict=True))
            error = 2 * sqrt(predicted * (1 - predicted) / count)
            rows.append({
                "predicted": predicted, "observed": observed, "matches": count,
                "low": max(observed - error, 0), "high": min(observed + error, 1),
            })  # fmt: skip
    return rows


def skill(rows: Rows) -> Drawing:
    alt = library()
    low = min((min(row["skill"], row["rating"]) for row in rows), default=0) - 20
    high = max((max(row["skill"], row["rating"]) for row in rows), default=1000) + 20
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    # The same ticks on both axes, few enough for a phone.
    step = next((step for step in (50, 100, 200) if high - low < 8 * step), 500)
    axis = alt.Axis(values=list(range(ceil(low / step) * step, int(high) + 1, step)), format="d", labelOverlap=False)
    points = _data(rows).mark_circle(color=LINE, opacity=0.65).encode(
        x=alt.X("skill:Q", title="true skill, in rating points (hidden from the ladder)", scale=scale, axis=axis),
        y=alt.Y("rating:Q", title="rating, in points", scale=scale, axis=axis),
        size=alt.Size("matches:Q", title="matches played", scale=alt.Scale(domainMin=1, range=[15, 220])),
        tooltip=["player:N", "skill:Q", "rating:Q", "matches:Q"],
    )  # fmt: skip
    even = _data([{"x": low}, {"x": high}]).mark_line(color=MUTED, strokeDash=[5, 4]).encode(x="x:Q", y="x:Q")
    return _styled(
        alt.layer(even, points), "rating-against-skill",
        "One dot for each player. On the dashed line,", "the rating equals the true skill. Strong players rest earlier",
    )  # fmt: skip


def fairness(rows: Rows) -> Drawing:
    alt = library()
    x = alt.X("minutes:Q", title="minutes waited (the longer of the two)")
    y = alt.Y("unfairness:Q", title="win probability, distance from 50 %",
              axis=alt.Axis(format=".0%"))  # fmt: skip
    points = _data(rows).mark_circle(size=26, color=LINE, opacity=0.35).encode(
        x=x, y=y, tooltip=["minutes:Q", "unfairness:Q", "length:Q"]
    )  # fmt: skip
    middle = (
        _data(rows).transform_bin("bin", "minutes", bin=alt.Bin(step=1))
        .transform_aggregate(usual="median(unfairness)", matches="count()", groupby=["bin"])
        .transform_filter(f"datum.matches >= {ENOUGH}")
        .transform_calculate(middle="datum.bin + 0.5")
        .mark_line(color=INK, strokeWidth=2, point=alt.OverlayMarkDef(color=INK, size=40))
        .encode(x="middle:Q", y="usual:Q")
    )  # fmt: skip
    return _styled(
        alt.layer(points, middle), "waiting-against-fairness",
        "One dot for each match; the line is the median of each minute.", "Windows widen with waiting",
    )  # fmt: skip


def tiers(rows: Rows, names: list[str]) -> Drawing:
    alt = library()
    days = sorted({row["day"] for row in rows})
    # One tick for each week back from the last day; for a short simulation, one for each day.
    ticks = [1000 * datetime.fromisoformat(f"{day}T00Z").timestamp() for day in days[:: -7 if len(days) > 14 else -1]]
    for row in rows:
        row["place"] = names.index(row["tier"])
    colours = alt.Scale(domain=names[::-1], range=[TIERS.get(name, MUTED) for name in reversed(names)])
    chart = _data(rows).mark_area(opacity=0.9).encode(
        x=alt.X("day:T", title="day", scale=alt.Scale(type="utc"), axis=alt.Axis(
            format="%-d %b", grid=False, labelOverlap=True, values=ticks,
        )),
        y=alt.Y("players:Q", title="players who have played, each morning", stack="zero"),
        color=alt.Color("tier:N", title="tier", scale=colours, legend=alt.Legend(columns=3)),
        order=alt.Order("place:Q"),
        tooltip=["day:T", "tier:N", "players:Q"],
    )  # fmt: skip
    return _styled(chart, "tier-sizes", "All players start in the lowest tier")


def calibration(rows: Rows) -> Drawing:
    alt = library()
    top = max((row[name] for row in rows for name in ("predicted", "high")), default=1)
    x_scale = alt.Scale(domain=[0.5, max((row["predicted"] for row in rows), default=1) + 0.02], nice=False)
    y_scale = alt.Scale(domain=[min((row["low"] for row in rows), default=0.5) - 0.02, top + 0.02], nice=False)
    x = alt.X("predicted:Q", title="win probability that the ladder gave the favourite", scale=x_scale,
              axis=alt.Axis(format=".0%"))  # fmt: skip
    y = alt.Y("observed:Q", title="share of these matches that the favourite won", scale=y_scale,
              axis=alt.Axis(format=".0%"))  # fmt: skip
    base = _data(rows)
    even = _data([{"x": 0.5}, {"x": 1}]).mark_line(color=MUTED, strokeDash=[5, 4], clip=True).encode(
        x=alt.X("x:Q", scale=x_scale), y=alt.Y("x:Q", scale=y_scale)
    )  # fmt: skip
    bars = base.mark_rule(color=LINE, opacity=0.6).encode(x=x, y=alt.Y("low:Q", scale=y_scale), y2="high:Q")
    points = base.mark_circle(color=LINE, opacity=1).encode(
        x=x, y=y, size=alt.Size("matches:Q", title="matches", scale=alt.Scale(domainMin=1, range=[40, 400])),
        tooltip=["predicted:Q", "observed:Q", "matches:Q"],
    )  # fmt: skip
    return _styled(
        alt.layer(even, bars, points), "calibration",
        "On the dashed line, predictions are exact;", "bars are two standard errors",
    )  # fmt: skip


def _data(rows: Rows) -> Any:
    alt = library()
    return alt.Chart(alt.Data(values=rows))


def _styled(chart: Any, name: str, *subtitle: str) -> Drawing:
    alt = library()
    heading = alt.TitleParams(
        TITLES[name], subtitle=list(subtitle), anchor="start", fontSize=17, subtitleFontSize=12.5, color=INK,
        subtitleColor=MUTED, offset=14,
    )  # fmt: skip
    styled: Drawing = (
        chart.properties(width=WIDTH, height=HEIGHT, background="white", padding=14, title=heading)
        .configure(font=FONT)
        .configure_axis(
            labelColor=MUTED, labelFontSize=12, titleColor=INK, titleFontSize=13, titleFontWeight="normal",
            domainColor=MUTED, tickColor=MUTED, gridColor="#eef0f3",
        )
        # Below the chart, so that the chart has the whole width of a phone.
        .configure_legend(
            orient="bottom", labelColor=INK, titleColor=INK, titleFontWeight="normal", labelFontSize=12,
            titleFontSize=12,
        )
        .configure_view(stroke=None)
    )  # fmt: skip
    return styled
