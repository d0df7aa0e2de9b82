"""Metrics of decay."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from common.api.operations import ReadinessCheck
from ladder.queries import decay

LAST_RUN = {
    "standings": "Standings that the last run changed.",
    "points": "Points that the last run took.",
    "duration_seconds": "How long the last run took, from its first start to its end.",
    "timestamp_seconds": "When the last run ended, as a Unix time.",
}


class DecayCollector(Collector):
    """The state of decay on each ladder."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        lag = _gauge("lag_days", "Days of decay that are due; 1 is normal in the minutes after midnight.")
        failing = _gauge("failing", "Whether the current run has failed and will be tried again.")
        last_run = {name: _gauge(f"last_run_{name}", text) for name, text in LAST_RUN.items()}
        for progress in decay.progress():
            ladder = [progress.ladder.slug]
            lag.add_metric(ladder, progress.lag_days)
            failing.add_metric(ladder, bool(progress.failed))
            run = progress.last_run
            if run is not None and run.duration is not None and run.finished_at is not None:
                last_run["standings"].add_metric(ladder, run.standings)
                last_run["points"].add_metric(ladder, float(run.points))
                last_run["duration_seconds"].add_metric(ladder, run.duration.total_seconds())
                last_run["timestamp_seconds"].add_metric(ladder, run.finished_at.timestamp())
        yield from (lag, failing, *last_run.values())


DECAY_IS_UP_TO_DATE = ReadinessCheck(
    "decay", lambda: "behind" if any(ladder.is_behind for ladder in decay.progress()) else "ok"
)


def _gauge(name: str, text: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"ladder_decay_{name}", text, labels=["ladder"])
