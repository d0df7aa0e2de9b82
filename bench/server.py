"""The web server, as in ``make run``."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from config.embedded.web import web_server

WORKERS, THREADS = 2, 4


@contextmanager
def web(workers: int = WORKERS) -> Iterator[int]:
    """Run granian with the settings of the benchmarks. Yields its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", *web_server(port, processes=workers), "--log-level", "warning"]
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "bench.settings", "DB_POOL": "1", "WEB_THREADS": str(THREADS),
    }  # fmt: skip
    process = subprocess.Popen(command, env=environment)
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait(port: int, process: subprocess.Popen[bytes], timeout: float = 60) -> None:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the web server did not start")
