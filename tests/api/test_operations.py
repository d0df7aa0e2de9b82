"""What operators' tools ask."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from ladder.api.views import operations
from tests.api import clients
from tests.api.test_throttling import NOWHERE


@pytest.fixture(autouse=True)
def _not_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_state", {"migrated": False})


def test_alive_without_asking_anyone() -> None:
    # No database mark: asking it would fail.
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
                "checks": {"database": "ok", "migrations": "ok", "cache": "ok"},
            }

    @override_settings(CACHES=NOWHERE)
    def test_without_the_cache_it_serves_on(self) -> None:
        answer = clients.anonymous().get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["cache"] == "unreachable"

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


class TestMetrics:
    def test_without_a_token_this_machine_alone_reads_them(self) -> None:
        client = clients.anonymous()
        assert b"django_http_requests_total" in client.get("/metrics").content
        assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 404
        assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404

    @override_settings(METRICS_TOKEN="scrape")
    def test_with_a_token_whoever_carries_it(self) -> None:
        client = clients.anonymous()
        assert client.get("/metrics").status_code == 404
        assert client.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 404
        answer = client.get("/metrics", headers={"Authorization": "Bearer scrape"}, REMOTE_ADDR="203.0.113.9")
        assert answer.status_code == 200
