"""Figures for Prometheus that the database holds, not this process: each scrape asks for them anew."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from common.points import Point

COLLECTORS: Point[Collector] = Point()
"""What apps add. Every web process says the same, so it does not matter which one is asked."""


class _All(Collector):
    def collect(self) -> Iterator[Metric]:
        for collector in COLLECTORS:
            yield from collector.collect()


# A registry of its own: that of the process is replaced by the sum of all processes where there are several.
REGISTRY = CollectorRegistry()
REGISTRY.register(_All())
