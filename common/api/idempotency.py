"""The header ``Idempotency-Key``: a POST that arrives twice with the same key is executed once."""

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
from common.api.throttling import caller_name
from common.errors import Invalid

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
PATTERN = r"^[!-~]{1,255}$"

Handler = TypeVar("Handler", bound=Callable[..., HttpResponseBase])


def idempotent(handler: Handler) -> Handler:
    """Make a view's method use the header. The view must not accept anonymous callers."""

    @wraps(handler)
    def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not re.fullmatch(PATTERN, key):
            raise Invalid("idempotency_key_invalid", _("An idempotency key is 1 to 255 visible ASCII characters."))
        caller = caller_name(request)
        assert caller is not None

        def work() -> idempotency.Answer:
            return _answer(lambda: handler(view, request, *args, **kwargs))

        content = f"{request.method} {request.path}\n".encode() + request.body
        answer = idempotency.answer_once(caller, key, content, work)
        headers = {"Retry-After": answer.retry_after} if answer.retry_after else {}
        if answer.replayed:
            headers[REPLAYED] = "true"
        return HttpResponse(answer.body, content_type=answer.content_type, status=answer.status, headers=headers)

    once.idempotent = True  # type: ignore[attr-defined]
    return cast(Handler, once)


def _answer(handle: Callable[[], HttpResponseBase]) -> idempotency.Answer:
    """The answer as it is stored. An error of the caller is an answer too; our own errors are raised, and roll back."""
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
