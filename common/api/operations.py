"""Addresses for monitoring: health, readiness and metrics."""

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
from common.cache import default_cache
from common.metrics import REGISTRY
from common.points import ExtensionPoint

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    """A check of ``/readyz``: its name, and a function that returns ``ok`` or a code for what is wrong."""

    name: str
    state: Callable[[], str]


READINESS: ExtensionPoint[ReadinessCheck] = ExtensionPoint()
"""The checks of the apps. A failed check is a warning: requests are still answered."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 if the process answers. The database is not checked: a restart would not repair it."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if this process can answer requests; 503 without the database or with migrations that are not applied.

    200 with ``degraded`` is a warning. Without the cache, requests are not limited. If decay is more than one day late,
    check worker and beat.
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
    checks["cache"] = "ok" if default_cache().is_reachable() else "unreachable"
    all_ok = all(check == "ok" for check in checks.values())
    status = "unavailable" if not ready else "ok" if all_ok else "degraded"
    return JsonResponse({"status": status, "checks": checks}, status=200 if ready else 503)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus. Needs METRICS_TOKEN; if none is set, a request from this machine."""
    if not _may_read_metrics(request):
        # Not 403, which would say that there is something here.
        return HttpResponseNotFound()
    answer: HttpResponse = ExportToDjangoView(request)
    try:
        answer.write(generate_latest(REGISTRY))
    except Error:
        log.warning("only the metrics of this process: the database cannot be reached", exc_info=True)
    return answer


def _may_read_metrics(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        return constant_time_compare(bearer_token(request) or "", settings.METRICS_TOKEN)
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not forwarded


_state: dict[str, Any] = {"migrated": False}


def _migrated() -> bool:
    """Whether all migrations of this code are applied. Once they are, only the connection is checked."""
    if _state["migrated"]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return True
    _state["migrated"] = not schema_state.pending()
    return bool(_state["migrated"])
