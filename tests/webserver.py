"""The real web server, on the database of the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import connection

from config.embedded.service import free_port
from config.embedded.web import web_server


@dataclass(frozen=True)
class Server:
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> float:
        """Stop the server. Returns how many seconds that took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        return time.monotonic() - started


def database_url() -> str:
    one = connection.settings_dict
    return f"postgresql://{one['USER']}:{one['PASSWORD']}@{one['HOST']}:{one['PORT']}/{one['NAME']}"


def redis_url() -> str:
    """Where the tests have their cache, which is emptied between them."""
    url: str = settings.CACHES["default"]["LOCATION"]
    return url


@contextmanager
def serving(**environment: str) -> Iterator[Server]:
    """One process of the web server, with the settings of the tests and of ``environment``."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", *web_server(port, processes=1), "--log-level", "warning"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url(), "REDIS_URL": redis_url(), "DB_POOL": "1", **environment},
    )
    server = Server(port, process)
    try:
        _wait_for(server)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


def _wait_for(server: Server, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(f"{server.url}/healthz", timeout=5).close()
            return
        except OSError:
            assert server.process.poll() is None, "the web server ended"
            assert time.monotonic() < deadline, "the web server did not start"
            time.sleep(0.1)
