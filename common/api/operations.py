"""What operators' tools ask: is the process alive, can it serve, and how is it doing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView
from prometheus_client import generate_latest

from common import schema_state
from common.api.bearer import bearer_token
from common.cache import the_cache
from common.metrics import REGISTRY
from common.points import Point

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    """Something to look at when ``/readyz`` is asked: its name, and how it is (``ok``, or a word for what is wrong)."""

    name: str
    state: Callable[[], str]


READINESS: Point[ReadinessCheck] = Point()
"""What apps add. What is wrong here is a warning: requests are answered all the same."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process runs and answers. Asks nobody else: a lost database is no reason to restart it."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether requests should be sent here: 200, or 503 without the database or with migrations to apply.

    200 and ``degraded`` is a warning: without the cache limits do not count, and decay that is more than one day
    behind wants somebody to look at worker and beat; everything else works.
    """
    checks: dict[str, str] = {}
    ready = True
    try:
        checks["database"], checks["migrations"] = "ok", "ok" if _migrated() else "pending"
        ready = checks["migrations"] == "ok"
        if ready:
            checks |= {check.name: check.state() for check in READINESS}
    except Error:
        log.warning("not ready: the database cannot be reached", exc_info=True)
        checks["database"], ready = "unreachable", False
    checks["cache"] = "ok" if the_cache().reachable() else "unreachable"
    well = all(check == "ok" for check in checks.values())
    status = "unavailable" if not ready else "ok" if well else "degraded"
    return JsonResponse({"status": status, "checks": checks}, status=200 if ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' figures, for whoever carries METRICS_TOKEN, or without one for this machine alone."""
    if not _may_read_metrics(request):
        # Not 403: there is nothing here for the world to know of.
        return HttpResponseNotFound()
    answer: HttpResponse = ExportToDjangoView(request)
    try:
        answer.write(generate_latest(REGISTRY))
    except Error:
        # This process has figures of its own all the same.
        log.warning("metrics without those of decay: the database cannot be asked", exc_info=True)
    return answer


def _may_read_metrics(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return constant_time_compare(bearer_token(request) or "", settings.METRICS_TOKEN)
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not forwarded


_state: dict[str, Any] = {"migrated": False}


def _migrated() -> bool:
    """Whether all migrations of this code are applied. Once they are, only the connection is tried."""
    if _state["migrated"]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return True
    _state["migrated"] = not schema_state.pending()
    return bool(_state["migrated"])
