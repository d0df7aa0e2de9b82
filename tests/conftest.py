"""What every test stands on: an empty cache, cheap passwords, and tables that can be emptied between tests."""

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

TEARDOWN = "_fixture_teardown"  # where Django empties the tables
APPEND_ONLY = ("accounts.AuditEntry", "ladder.RatingEntry", "ladder.Ruling")

hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Emptying the cache empties its whole Valkey database, so each xdist worker has one of its own (0 is the broker's).
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    settings.CACHES["default"]["LOCATION"] = urlsplit(settings.REDIS_URL)._replace(path=f"/{worker + 1}").geturl()


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_emptied() -> Iterator[None]:
    """Let Django empty the append-only tables after a test with real commits; within a test they refuse."""
    teardown: Callable[[TransactionTestCase], None] = getattr(TransactionTestCase, TEARDOWN)

    def emptying(case: TransactionTestCase) -> None:
        with pgtrigger.ignore(*(f"{model}:append_only_truncate" for model in APPEND_ONLY)):
            teardown(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, TEARDOWN, emptying)
        yield
