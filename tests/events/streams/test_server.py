"""Requests to the real web server, without Django's test client."""

from __future__ import annotations

import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.db import connection

from accounts.models import User
from tests import clients
from tests.factories import make_ladder, make_service_key
from tests.webserver import Server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]

STYLE = "admin/css/base.css"


def ask(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def raw(server: Server, lines: bytes) -> bytes:
    """The answer to a request of these lines."""
    with socket.create_connection(("127.0.0.1", server.port), 20) as wire:
        wire.sendall(lines.replace(b"\n", b"\r\n") + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while chunk := wire.recv(65536):
            answer += chunk
    return answer


def test_files(server: Server) -> None:
    found = finders.find(STYLE)
    assert isinstance(found, str)
    content = Path(found).read_bytes()
    assert ask(server, "GET", f"/static/{STYLE}")[1] == content
    answer, part = ask(server, "GET", f"/static/{STYLE}", Range="bytes=10-19")
    assert (answer.status, part) == (206, content[10:20])
    answer, nothing = ask(server, "HEAD", f"/static/{STYLE}")
    assert (answer.headers["Content-Length"], nothing) == (str(len(content)), b"")


def test_head_requests(server: Server, player: User) -> None:
    make_ladder()
    whole, _ = ask(server, "GET", "/api/v1/ladders")
    head, content = ask(server, "HEAD", "/api/v1/ladders")
    assert (head.status, content) == (200, b"")
    assert head.headers["Content-Length"] == whole.headers["Content-Length"]
    head, content = ask(server, "HEAD", "/api/v1/events", Authorization=f"Bearer {clients.token_of(player)}")
    assert (head.status, head.headers["Content-Type"], content) == (200, "text/event-stream", b"")


@pytest.mark.parametrize(("size", "status"), [(10, 422), (100_000, 413), (5_000_000, 413)])
def test_bodies_that_are_too_large(size: int, status: int, server: Server, player: User) -> None:
    body = b'{"language":"' + b"x" * size + b'"}'
    headers = {"Authorization": f"Bearer {clients.token_of(player)}", "Content_Type": "application/json"}
    answer, content = ask(server, "PATCH", "/api/v1/me", body, **headers)
    assert answer.status == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    answer, content = ask(server, "PATCH", "/api/v1/me", b'{"language":"ko"}', **headers)
    assert (answer.status, b'"language":"ko"' in content) == (200, True)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /api/v1/players/%ff%fe", b"404"),
        (b"GET /api/v1/players/%zz", b"404"),
        (b"GET /api/v1/players/%00", b"404"),
        (b"GET /api/v1/ladders?page_size=%ff", b"400"),
        (b"GET /api/v1/ladders?name=\xc3\xbc", b"200"),
        (b"FROB /api/v1/ladders", b"405"),
    ],
)
def test_unusual_addresses(line: bytes, status: bytes, server: Server) -> None:
    answer = raw(server, line + b" HTTP/1.1")
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert status == b"200" or b"application/problem+json" in answer


def test_a_header_with_an_underscore_is_ignored(server: Server) -> None:
    line = b"GET /api/v1/ladders HTTP/1.1\n"
    assert raw(server, line + b"X-Service-Key: nonsense").startswith(b"HTTP/1.1 401")
    assert raw(server, line + b"X_Service_Key: nonsense").startswith(b"HTTP/1.1 200")
    assert raw(server, line + f"X-Service-Key: {make_service_key()}".encode()).startswith(b"HTTP/1.1 200")


def test_each_request_returns_its_connection(server: Server, player: User) -> None:
    """Many more requests than connections in the pool, in all threads. Some clients disconnect early."""
    headers = {"Authorization": f"Bearer {clients.token_of(player)}"}
    with ThreadPoolExecutor(12) as callers:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port), 20) as wire:
                wire.sendall(b"GET /api/v1/players/player01 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        asked = [callers.submit(ask, server, "GET", "/api/v1/me", None, **headers) for _ in range(100)]
        assert {future.result()[0].status for future in asked} == {200}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
        )
        assert cursor.fetchone() == (0,)
