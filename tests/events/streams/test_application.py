"""The ASGI application, called without a server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from accounts.models import User
from config.asgi import Handler
from tests import clients

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]


async def opened(application: Handler, token: str) -> asyncio.Task[None]:
    """A stream whose first bytes are sent, and whose client sends nothing more."""
    received: list[dict[str, Any]] = [{"type": "http.request", "body": b"", "more_body": False}]
    is_open = asyncio.Event()

    async def receive() -> dict[str, Any]:
        while not received:
            await asyncio.sleep(3600)
        return received.pop()

    async def send(message: Any) -> None:
        if message.get("body"):
            is_open.set()

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/api/v1/events",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())],
    }
    request = asyncio.create_task(application(scope, receive, send))
    await is_open.wait()
    return request


def test_a_cancelled_request_leaves_no_tasks(player: User) -> None:
    token = clients.token_of(player)

    async def run() -> None:
        application = Handler()
        other = await opened(application, token)
        before = asyncio.all_tasks()
        request = await opened(application, token)
        request.cancel()
        await asyncio.wait({request})
        while asyncio.all_tasks() - before:  # queries may still be running
            await asyncio.sleep(0.02)
        assert not other.done()

    asyncio.run(asyncio.wait_for(run(), 30))
