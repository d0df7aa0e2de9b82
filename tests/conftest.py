"""Fixtures of all tests: an empty cache, a fast password hash, tables that are emptied. Which tests run, and where."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pgtrigger
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import TransactionTestCase
from whitenoise.middleware import WhiteNoiseMiddleware
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

pytest_plugins = ["tests.staff"]

TEARDOWN = "_fixture_teardown"  # Django's method that empties the tables
FOR_ALL = ("django_content_type", "auth_permission")  # the migrations fill them, and no test writes to them

# Folders whose tests share a browser or a web server.
SHARING = {"browser", "streams"}
# These and other folders with long tests start first, so that no worker is left with one at the end.
LONG = {*SHARING, "concurrency", "contract", "database", "embedded", "extension"}

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOW_TO_GET_IT = "install Chromium (Debian and Ubuntu: apt-get install chromium) and run the tests again"
LEFT_OUT = pytest.StashKey[list[str]]()

hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.register_profile("long", deadline=None, max_examples=500)  # for .ci/run
hypothesis.settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Clearing the cache empties its Valkey database, so each xdist worker has a separate one (0 is the broker's).
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    settings.CACHES["default"]["LOCATION"] = urlsplit(settings.REDIS_URL)._replace(path=f"/{worker + 1}").geturl()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores, for some tests wait for a browser, a server or a lock most of their time.

    None for tests of one file, which would all go to the same.
    """
    places = {arg.partition("::")[0] for arg in config.args}
    return 0 if len(places) == 1 and all(place.endswith(".py") for place in places) else (os.cpu_count() or 1) + 1


class Together(LoadScopeScheduling):  # type: ignore[misc]
    """A worker is given the tests of a whole file, or of a whole folder where they share what takes long to start."""

    def _split_scope(self, nodeid: str) -> str:
        file = PurePosixPath(nodeid.partition("::")[0])
        return str(file.parent if SHARING.intersection(file.parts) else file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together:
    config.option.loadscopereorder = False  # the order of the collection, see below
    return Together(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not LONG.intersection(item.path.parts))
    if CHROMIUM is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    config.stash[LEFT_OUT] = [item.nodeid for item in left_out]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """An xdist worker tells the process that reports, which itself has collected nothing."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = session.config.stash.get(LEFT_OUT, [])


def pytest_testnodedown(node: WorkerController) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if names := config.stash.get(LEFT_OUT, []):
        terminalreporter.section("left out: there is no Chromium here", yellow=True)
        for name in names:
            terminalreporter.write_line(name)
        terminalreporter.write_line(HOW_TO_GET_IT)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_listed_once() -> Iterator[None]:
    """Each client of a test makes the middleware anew, which would look at all files of the admin again."""
    listing = WhiteNoiseMiddleware.add_files_from_finders
    files: dict[str, Any] = {}

    def add_files(middleware: WhiteNoiseMiddleware) -> None:
        if not files:
            listing(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied() -> Iterator[None]:
    """After a test with real commits, delete the rows it left.

    Django would truncate all tables and fill those of the content types and permissions again, which takes fifty times
    as long. The append-only tables let it happen here only; within a test they refuse.
    """
    append_only = [f"{model._meta.label}:{it.name}" for model, it in pgtrigger.registered() if it.name == "append_only"]
    tables = sorted({*connection.introspection.django_table_names(include_views=False)} - {*FOR_ALL})
    filled = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in tables)
    rows = " UNION ALL ".join(f"SELECT count(*) FROM {table}" for table in FOR_ALL)
    rows_at_first: list[Any] = []

    def emptying(case: TransactionTestCase) -> None:
        with pgtrigger.ignore(*append_only), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(filled)
            if names := [name for (name,) in cursor.fetchall()]:
                cursor.execute("; ".join(f"DELETE FROM {name}" for name in names))
            cursor.execute(rows)
            now = cursor.fetchall()
        rows_at_first[:] = rows_at_first or now
        assert rows_at_first == now, f"a test has written into {FOR_ALL}"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, TEARDOWN, emptying)
        yield
