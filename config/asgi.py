"""The API and the admin with live event streams, as an ASGI application.

Views and middleware are synchronous. Each request runs in one of ``WEB_THREADS`` threads, as with WSGI; Django's own
ASGI handler would change threads at every middleware. Reading requests and sending responses is left to Django. Only
responses that wait for events run in the event loop.
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

from config.open_files import allow_open_files  # noqa: E402
from events.streams.hub import Hub  # noqa: E402
from events.streams.responses import LiveResponse  # noqa: E402

OPEN_FILES = 8192
"""Each event stream is an open connection."""

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class TooLong(io.BytesIO):
    """Replaces a body that is too long. Reading it raises an error."""

    def read(self, *_size: int | None) -> bytes:
        raise RequestDataTooBig("the body is longer than DATA_UPLOAD_MAX_MEMORY_SIZE")


class Handler(ASGIHandler):
    def __init__(self) -> None:
        BaseHandler.__init__(self)  # that of ASGIHandler would load asynchronous middleware
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.WEB_THREADS, thread_name_prefix="request")
        self._hub = Hub()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self.handle(scope, receive, send)
        else:
            raise ValueError(f"unsupported: {scope['type']}")

    async def handle(self, scope: Message, receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await asyncio.get_running_loop().run_in_executor(self._threads, self._respond, scope, body)
        if isinstance(response, LiveResponse):
            await self._serve(response, receive, send)
        else:
            await self.send_response(response, send)

    async def read_body(self, receive: Receive) -> IO[bytes]:
        """The whole body, or ``TooLong`` if it is longer than any view accepts."""
        size = 0

        async def receive_limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
                raise RequestDataTooBig
            return message

        try:
            return await super().read_body(receive_limited)
        except RequestDataTooBig:
            return TooLong()

    # --- in a thread --------------------------------------------------------------------------------------------------

    def _respond(self, scope: Message, body: IO[bytes]) -> Any:
        """Handle the whole request in one thread, because a database connection belongs to a thread."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, error_response = self.create_request(scope, body)
        response: Any = error_response if request is None else self.get_response(request)
        response._handler_class = self.__class__
        try:
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, LiveResponse):
                # A file. Like Django, read it as a whole, so that no thread waits for a slow client.
                response.streaming_content = _chunks(list(response))
        finally:
            response.close()
        return response

    # --- in the event loop --------------------------------------------------------------------------------------------

    async def _serve(self, response: LiveResponse, receive: Receive, send: Send) -> None:
        """Run a response that waits for events, until the client disconnects."""
        serving = asyncio.create_task(response.serve(self._hub, partial(self.send_response, send=send)))
        disconnect = asyncio.ensure_future(receive())  # the only message that can still come
        try:
            await asyncio.wait({serving, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # also when the server cancels the request
            serving.cancel()
            disconnect.cancel()
            await asyncio.wait({serving, disconnect})
        if not serving.cancelled():
            serving.result()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """Start and stop this process. Granian stops after all responses have ended, so streams must end first."""
        while (message := await receive())["type"] == "lifespan.startup":
            allow_open_files(OPEN_FILES)
            _on_stop_signal(self._hub.stop)
            await send({"type": "lifespan.startup.complete"})
        await self._hub.close()
        self._threads.shutdown()
        await send({"type": f"{message['type']}.complete"})


async def _chunks(body: list[bytes]) -> AsyncIterator[bytes]:
    for chunk in body:
        yield chunk


def _on_stop_signal(function: Callable[[], None]) -> None:
    """Call the function when the process gets a stop signal, in addition to the server's own handlers.

    An event loop gets signals through a pipe. When hundreds of clients disconnect, the pipe can be full for a moment,
    and the signal is lost. So it is sent once more.
    """
    loop = asyncio.get_running_loop()

    def stop(number: int, before: Any) -> None:
        function()
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
