"""A small HTTP load generator. It keeps connections open and prepares the requests, to use little processor time."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from statistics import quantiles


def measure(port: int, requests: Sequence[bytes], *, connections: int, seconds: float) -> tuple[float, float]:
    """Send the requests for this time. Returns the responses per second and the 99th percentile in milliseconds.

    Raises ``RuntimeError`` at a response other than 200, or if there are not enough requests.
    """
    times: list[float] = []
    failures: list[str] = []
    barrier = threading.Barrier(connections + 1)
    threads = [
        threading.Thread(target=_connection, args=(port, requests[n::connections], barrier, seconds, times, failures))
        for n in range(connections)
    ]
    for thread in threads:
        thread.start()
    barrier.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(failures[0])
    return len(times) / (time.perf_counter() - started), quantiles(times, n=100)[98] * 1000


def get(path: str, headers: dict[str, str] | None = None) -> bytes:
    """The bytes of a request."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def post(path: str, body: bytes, headers: dict[str, str]) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def _connection(
    port: int, requests: Sequence[bytes], barrier: threading.Barrier, seconds: float, times: list[float],
    failures: list[str],
) -> None:  # fmt: skip
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answers:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        barrier.wait()
        deadline = time.perf_counter() + seconds
        for request in requests:
            before = time.perf_counter()
            if before > deadline:
                return
            connection.sendall(request)
            status, length = answers.readline(), 0
            while (line := answers.readline()) != b"\r\n":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = answers.read(length)
            if b" 200 " not in status:
                failures.append(f"{status!r} {body!r}")
                return
            times.append(time.perf_counter() - before)
    failures.append("more requests are needed for this measurement")
