"""Health, readiness and metrics."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from common.api import operations
from ladder.models import DecayRun
from tests import clients
from tests.common.api.test_throttling import NOWHERE
from tests.decay_days import FIRST, clock, decay_day, idle, old_ladder, run_on


@pytest.fixture(autouse=True)
def _not_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_state", {"migrated": False})


def test_health_uses_no_database() -> None:
    # Without the database mark, a query would fail.
    answer = clients.anonymous().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
class TestReady:
    def test_ready(self) -> None:
        for _ in range(2):
            answer = clients.anonymous().get("/readyz")
            assert answer.status_code == 200
            assert answer.json() == {
                "status": "ok",
                "checks": {"database": "ok", "migrations": "ok", "decay": "ok", "cache": "ok"},
            }

    @override_settings(CACHES=NOWHERE)
    def test_without_the_cache_it_is_degraded(self) -> None:
        answer = clients.anonymous().get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["cache"] == "unreachable"

    def test_decay_that_is_more_than_a_day_behind_is_a_warning(self) -> None:
        ladder = old_ladder()
        run_on(ladder, FIRST)
        for day, status, said in ((0, "ok", "ok"), (1, "ok", "ok"), (2, "degraded", "behind")):
            with clock(decay_day(day)):
                answer = clients.anonymous().get("/readyz")
            assert (answer.status_code, answer.json()["status"]) == (200, status)
            assert answer.json()["checks"]["decay"] == said

    def test_not_before_the_migrations(self) -> None:
        MigrationRecorder.Migration.objects.filter(app="ladder").delete()
        answer = clients.anonymous().get("/readyz")
        assert (answer.status_code, answer.json()["checks"]["migrations"]) == (503, "pending")

    def test_not_without_the_database(self) -> None:
        for _ in range(2):
            with mock.patch.object(connection, "cursor", side_effect=OperationalError("gone")):
                answer = clients.anonymous().get("/readyz")
            assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
            assert answer.json()["checks"]["database"] == "unreachable"


def figures(text: str) -> dict[str, float]:
    """The samples about decay, by their names and labels."""
    lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith("ladder_decay_")]
    return {name: float(value) for name, _, value in lines}


@pytest.mark.django_db
class TestMetrics:
    def test_without_a_token_only_this_machine_can_read_them(self) -> None:
        client = clients.anonymous()
        assert b"django_http_requests_total" in client.get("/metrics").content
        assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 404
        assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404

    @override_settings(METRICS_TOKEN="scrape")
    def test_with_a_token_anyone_with_it_can_read_them(self) -> None:
        client = clients.anonymous()
        assert client.get("/metrics").status_code == 404
        assert client.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 404
        answer = client.get("/metrics", headers={"Authorization": "Bearer scrape"}, REMOTE_ADDR="203.0.113.9")
        assert answer.status_code == 200

    def test_the_progress_of_decay(self) -> None:
        ladder, late = old_ladder(), old_ladder("late")
        idle(ladder, "950.00")
        run_on(ladder, FIRST)
        run_on(late, FIRST)
        DecayRun.objects.create(ladder=late, day=decay_day(1), error="OperationalError: gone")
        noon = datetime(2026, 1, 29, 12, tzinfo=UTC)
        with clock(FIRST):
            shown = figures(clients.anonymous().get("/metrics").content.decode())
        assert shown['ladder_decay_lag_days{ladder="backgammon"}'] == 0
        assert shown['ladder_decay_failing{ladder="late"}'] == 1
        assert shown['ladder_decay_failing{ladder="backgammon"}'] == 0
        assert shown['ladder_decay_last_run_standings{ladder="backgammon"}'] == 1
        assert shown['ladder_decay_last_run_points{ladder="backgammon"}'] == 2
        assert shown['ladder_decay_last_run_duration_seconds{ladder="backgammon"}'] == 0
        assert shown['ladder_decay_last_run_timestamp_seconds{ladder="backgammon"}'] == noon.timestamp()

    def test_several_processes_return_the_same(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old_ladder()
        monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
        with clock(decay_day(3)):
            shown = figures(clients.anonymous().get("/metrics").content.decode())
        decay = {name: value for name, value in shown.items() if name.startswith("ladder_decay_")}
        assert decay == {
            'ladder_decay_lag_days{ladder="backgammon"}': 32.0,
            'ladder_decay_failing{ladder="backgammon"}': 0,
        }

    def test_without_the_database_the_metrics_of_the_process_remain(self) -> None:
        with mock.patch.object(connection, "cursor", side_effect=OperationalError("gone")):
            answer = clients.anonymous().get("/metrics")
        assert answer.status_code == 200
        assert b"django_http_requests_total" in answer.content
        assert b"ladder_decay_lag_days" not in answer.content
