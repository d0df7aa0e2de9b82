"""The API and the admin with live event streams, as an ASGI application.

Views and middleware are synchronous. Each request runs as a whole in one of ``WEB_THREADS`` threads, as it would under
WSGI; Django's own way would change threads at every middleware. Reading requests and sending answers is Django's. Only
answers that wait for events are left to the event loop.
"""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import IO, Any

import django
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted, RequestDataTooBig
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import StreamingHttpResponse
from django.urls import set_script_prefix

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from config.limits import allow_open_files  # noqa: E402
from events.streams.hub import Hub  # noqa: E402
from events.streams.responses import Live  # noqa: E402

OPEN_FILES = 8192
"""Each stream is an open connection."""

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class TooLong(io.BytesIO):
    """In place of a body that is longer than anybody reads: whoever tries is told so."""

    def read(self, *_size: int | None) -> bytes:
        raise RequestDataTooBig("the body is longer than DATA_UPLOAD_MAX_MEMORY_SIZE")


class Handler(ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)  # ASGIHandler's would load the middleware for its own way
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.WEB_THREADS, thread_name_prefix="request")
        self._hub = Hub()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self.handle(scope, receive, send)
        else:
            raise ValueError(f"no {scope['type']} here")

    async def handle(self, scope: Message, receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await asyncio.get_running_loop().run_in_executor(self._threads, self._respond, scope, body)
        if isinstance(response, Live):
            await self._serve(response, receive, send)
        else:
            await self.send_response(response, send)

    async def read_body(self, receive: Receive) -> IO[bytes]:
        """The whole body, unless it is so long that every reader would refuse it."""
        size = 0

        async def bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
                raise RequestDataTooBig
            return message

        try:
            return await super().read_body(bounded)
        except RequestDataTooBig:
            return TooLong()

    # --- in a thread --------------------------------------------------------------------------------------------------

    def _respond(self, scope: Message, body: IO[bytes]) -> Any:
        """All that a request needs, in one thread: its connection to the database belongs to the thread."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        response._handler_class = self.__class__
        try:
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, Live):
                # A file. As Django does it: read as a whole, so that no thread waits for a slow client.
                response.streaming_content = _pieces(list(response))
        finally:
            response.close()
        return response

    # --- in the event loop --------------------------------------------------------------------------------------------

    async def _serve(self, response: Live, receive: Receive, send: Send) -> None:
        """Let the answer wait for events, until the client leaves."""
        serving = asyncio.create_task(response.serve(self._hub, partial(self.send_response, send=send)))
        leaving = asyncio.ensure_future(receive())  # nothing else is left to come
        try:
            await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # also when the server gives the request up: nobody listens on for it
            serving.cancel()
            leaving.cancel()
            await asyncio.wait({serving, leaving})
        if not serving.cancelled():
            serving.result()

    async def _live(self, receive: Receive, send: Send) -> None:
        """The life of this process: granian ends it once all answers are given, so streams have to end before that."""
        while (message := await receive())["type"] == "lifespan.startup":
            allow_open_files(OPEN_FILES)
            _when_told_to_stop(self._hub.end)
            await send({"type": "lifespan.startup.complete"})
        await self._hub.close()
        self._threads.shutdown()
        await send({"type": f"{message['type']}.complete"})


async def _pieces(body: list[bytes]) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece


def _when_told_to_stop(act: Callable[[], None]) -> None:
    """Act as well, beside the server's own handlers.

    Those of an event loop are told through a pipe. When it is full, as it is for a moment when hundreds of clients
    leave, the signal is lost: so it is sent once more.
    """
    loop = asyncio.get_running_loop()

    def stop(number: int, before: Any) -> None:
        act()
        signal.signal(number, before)
        loop.call_later(0.2, signal.raise_signal, number)

    for each in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(each)

        def handler(number: int, frame: Any, before: Any = before) -> None:
            loop.call_soon_threadsafe(stop, number, before)
            if callable(before):
                before(number, frame)

        signal.signal(each, handler)


application = Handler()
