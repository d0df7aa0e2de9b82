"""Metrics for Prometheus that are read from the database at each scrape."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from common.points import ExtensionPoint

COLLECTORS: ExtensionPoint[Collector] = ExtensionPoint()
"""The collectors of the apps. Every web process returns the same values, so any of them can be scraped."""


class _All(Collector):
    def collect(self) -> Iterator[Metric]:
        for collector in COLLECTORS:
            yield from collector.collect()


# Not the default registry, whose values are added up over all processes.
REGISTRY = CollectorRegistry()
REGISTRY.register(_All())
