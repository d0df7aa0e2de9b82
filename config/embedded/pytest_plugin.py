"""`-p config.embedded.pytest_plugin`: temporary servers for each test run, shared by its xdist workers.

They are started, and their addresses set in the environment, before pytest-django reads the settings. Workers inherit
the environment and create a database each. If DATABASE_URL or REDIS_URL is set, that server is used.

The run also has its own temporary folder, for the files that processes killed by a test leave behind.
"""

import os
import secrets
import tempfile
from contextlib import ExitStack

import pytest

from config.embedded.errors import EmbeddedError
from config.embedded.stack import SECRET_KEY, missing, throwaway


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    servers = ExitStack()
    early_config.add_cleanup(servers.close)
    try:
        os.environ.update(servers.enter_context(throwaway(durable=False, variables=missing())))
    except EmbeddedError as error:
        raise pytest.UsageError(str(error)) from error
    folder = tempfile.TemporaryDirectory(prefix="backgammon-ladder-tests-", ignore_cleanup_errors=True)
    os.environ["TMPDIR"] = tempfile.tempdir = servers.enter_context(folder)
    os.environ.setdefault(SECRET_KEY, secrets.token_urlsafe(48))
    os.environ["DB_POOL"] = "0"  # pooled connections would keep the test database from being dropped
