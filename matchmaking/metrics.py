"""Figures of the queue for Prometheus: the database holds them, and each scrape asks for them anew."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from matchmaking.queries import figures

PERIOD = timedelta(hours=1)

NOW = {
    "tickets": ("queue_tickets", "Tickets that wait now."),
    "longest": ("queue_longest_wait_seconds", "How long the one has waited who has waited longest."),
    "median": ("queue_median_wait_seconds", "How long half of those who wait have waited at least."),
}
LAST_HOUR = {
    "waited_median": ("offers_waited_median_seconds", "Half of those who got an offer had waited at most this long."),
    "waited_p95": ("offers_waited_p95_seconds", "95 % of those who got an offer had waited at most this long."),
    "unfairness_mean": ("offers_unfairness_mean", "Distance of the win probability from 0.5, on average."),
    "unfairness_p95": ("offers_unfairness_p95", "Distance of the win probability from 0.5 that 95 % do not exceed."),
}


class QueueCollector(Collector):
    """How long each ladder's queue is, and what it did in the last hour. Every web process says the same."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from _now()
        yield from _last_hour()


def _now() -> Iterator[GaugeMetricFamily]:
    gauges = {figure: _gauge(*about) for figure, about in NOW.items()}
    for size in figures.sizes():
        for figure, gauge in gauges.items():
            gauge.add_metric([size.ladder], getattr(size, figure))
    yield from gauges.values()


def _last_hour() -> Iterator[GaugeMetricFamily]:
    offers = _gauge("offers", "Offers made in the last hour, by what became of them.", "outcome")
    faults = _gauge("faults", "Offers of the last hour that a player declined or left unanswered.", "fault")
    gauges = {figure: _gauge(*about) for figure, about in LAST_HOUR.items()}
    for work in figures.work(PERIOD):
        for outcome, number in work.outcomes.items():
            offers.add_metric([work.ladder, outcome], number)
        for fault, number in work.faults.items():
            faults.add_metric([work.ladder, fault], number)
        for figure, gauge in gauges.items():
            if (value := getattr(work, figure)) is not None:
                gauge.add_metric([work.ladder], value)
    yield from (offers, faults, *gauges.values())


def _gauge(name: str, words: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"matchmaking_{name}", words, labels=["ladder", *labels])
