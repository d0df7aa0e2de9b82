"""Metrics of the queue for Prometheus, read from the database at each scrape."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from matchmaking.limits import METRICS_PERIOD
from matchmaking.queries import figures

NOW = {
    "tickets": ("queue_tickets", "Tickets that are waiting now."),
    "longest": ("queue_longest_wait_seconds", "The longest current wait."),
    "median": ("queue_median_wait_seconds", "The median of the current waits."),
}
LAST_HOUR = {
    "waited_median": ("offers_waited_median_seconds", "Median wait before an offer."),
    "waited_p95": ("offers_waited_p95_seconds", "95th percentile of the wait before an offer."),
    "unfairness_mean": ("offers_unfairness_mean", "Mean difference of the win probability from 0.5."),
    "unfairness_p95": ("offers_unfairness_p95", "95th percentile of the difference of the win probability from 0.5."),
}


class QueueCollector(Collector):
    """The queue of each ladder, and its offers in the last hour. Every web process returns the same values."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from _now()
        yield from _last_hour()


def _now() -> Iterator[GaugeMetricFamily]:
    gauges = {figure: _gauge(*description) for figure, description in NOW.items()}
    for size in figures.queue_sizes():
        for figure, gauge in gauges.items():
            gauge.add_metric([size.ladder], getattr(size, figure))
    yield from gauges.values()


def _last_hour() -> Iterator[GaugeMetricFamily]:
    offers = _gauge("offers", "Offers created in the last hour, by outcome.", "outcome")
    faults = _gauge("faults", "Offers of the last hour that a player declined or left unanswered.", "fault")
    gauges = {figure: _gauge(*description) for figure, description in LAST_HOUR.items()}
    for each in figures.offer_figures(METRICS_PERIOD):
        for outcome, number in each.outcomes.items():
            offers.add_metric([each.ladder, outcome], number)
        for fault, number in each.faults.items():
            faults.add_metric([each.ladder, fault], number)
        for figure, gauge in gauges.items():
            if (value := getattr(each, figure)) is not None:
                gauge.add_metric([each.ladder], value)
    yield from (offers, faults, *gauges.values())


def _gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"matchmaking_{name}", text, labels=["ladder", *labels])
