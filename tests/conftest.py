"""Fixtures of all tests: an empty cache, a fast password hash, and tables that can be emptied between tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import hypothesis
import pgtrigger
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import TransactionTestCase

TEARDOWN = "_fixture_teardown"  # Django's method that empties the tables

hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Clearing the cache empties its Valkey database, so each xdist worker has a separate one (0 is the broker's).
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    settings.CACHES["default"]["LOCATION"] = urlsplit(settings.REDIS_URL)._replace(path=f"/{worker + 1}").geturl()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_emptied() -> Iterator[None]:
    """Let Django empty the append-only tables after a test with real commits. During a test, they refuse it."""
    teardown: Callable[[TransactionTestCase], None] = getattr(TransactionTestCase, TEARDOWN)

    def emptying(case: TransactionTestCase) -> None:
        with pgtrigger.ignore("accounts.AuditEntry:append_only_truncate", "ladder.RatingEntry:append_only_truncate"):
            teardown(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, TEARDOWN, emptying)
        yield
