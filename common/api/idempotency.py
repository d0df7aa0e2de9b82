"""``Idempotency-Key``: a POST that arrives twice is done once. Without the header nothing here happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from common import idempotency
from common.api.problems import exception_handler
from common.api.throttling import caller
from common.errors import Invalid

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
PATTERN = r"^[!-~]{1,255}$"

Handler = TypeVar("Handler", bound=Callable[..., HttpResponseBase])


def idempotent(handler: Handler) -> Handler:
    """A view's method that honours the header. Its callers are known: the view lets no anonymous one in."""

    @wraps(handler)
    def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not re.fullmatch(PATTERN, key):
            raise Invalid("idempotency_key_invalid", _("An idempotency key is 1 to 255 visible ASCII characters."))
        who = caller(request)
        assert who is not None

        def work() -> idempotency.Answer:
            return _answer(lambda: handler(view, request, *args, **kwargs))

        content = f"{request.method} {request.path}\n".encode() + request.body
        answer = idempotency.once(who, key, content, work)
        headers = {"Retry-After": answer.retry_after} if answer.retry_after else {}
        if answer.replayed:
            headers[REPLAYED] = "true"
        return HttpResponse(answer.body, content_type=answer.content_type, status=answer.status, headers=headers)

    once.idempotent = True  # type: ignore[attr-defined]
    return cast(Handler, once)


def _answer(handle: Callable[[], HttpResponseBase]) -> idempotency.Answer:
    """The answer in the form in which it is kept. A refusal is one; a failure of ours is raised, and undoes all."""
    try:
        response = handle()
    except Exception as error:
        refused = exception_handler(error, {})
        if refused is None:
            raise
        response = refused
    if isinstance(response, Response):
        return idempotency.Answer(response.status_code, JSONRenderer().render(response.data), JSONRenderer.media_type)
    assert isinstance(response, HttpResponse)
    return idempotency.Answer(
        response.status_code, response.content, response.headers["Content-Type"], response.headers.get("Retry-After")
    )
