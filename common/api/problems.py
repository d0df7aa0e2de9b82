"""Errors as RFC 9457 problem details: ``type`` about:blank, a stable ``code``, and the wrong fields."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, TypedDict

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError, connection
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.settings import api_settings

from common import errors as refusals
from common.limits import DATABASE_RETRY_SECONDS
from common.types import SchemaKeywords

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"


class FieldError(TypedDict):
    """What is wrong with one part of the input; ``field`` is a path such as ``players.0.rating``."""

    field: str | None
    code: str
    detail: str


class _Problem(TypedDict):
    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldError]


class Problem(_Problem, total=False):
    """An error (RFC 9457). ``until``: when the same request may succeed, if that is known."""

    until: Annotated[str, SchemaKeywords(format="date-time")]


TITLES = {
    400: gettext_noop("Bad Request"),
    401: gettext_noop("Unauthorized"),
    403: gettext_noop("Forbidden"),
    404: gettext_noop("Not Found"),
    405: gettext_noop("Method Not Allowed"),
    406: gettext_noop("Not Acceptable"),
    409: gettext_noop("Conflict"),
    413: gettext_noop("Content Too Large"),
    415: gettext_noop("Unsupported Media Type"),
    422: gettext_noop("Unprocessable Content"),
    429: gettext_noop("Too Many Requests"),
    500: gettext_noop("Internal Server Error"),
    503: gettext_noop("Service Unavailable"),
}

# Code and message of errors outside of views, where only the status is known.
_BY_STATUS = {
    400: ("bad_request", gettext_noop("The request cannot be understood.")),
    403: ("permission_denied", gettext_noop("You may not do this.")),
    404: ("not_found", gettext_noop("There is nothing at this address.")),
    405: ("method_not_allowed", gettext_noop("This address does not allow that method.")),
    503: ("unavailable", gettext_noop("The database cannot be reached at the moment; nothing was changed.")),
    500: ("server_error", gettext_noop("An internal error occurred. It has been logged.")),
}

_STATUS: dict[type[refusals.Refusal], int] = {
    refusals.Invalid: 422,
    refusals.NotFound: 404,
    refusals.Forbidden: 403,
    refusals.Conflict: 409,
}


class BadQuery(exceptions.ValidationError):
    """A query parameter is not valid."""

    status_code = 400
    default_code = "bad_query"


class TooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = _("The request is too large.")


def problem(status: int, code: str, detail: str, errors: list[FieldError] | None = None) -> Problem:
    return {
        "type": "about:blank",
        "title": gettext(TITLES.get(status, TITLES[500])),
        "status": status,
        "code": code,
        "detail": detail,
        "errors": errors or [],
    }


def answer(content: Problem, headers: dict[str, str] | None = None) -> HttpResponse:
    # ASCII, because text from the request may contain characters that cannot be encoded.
    body, headers = json.dumps(content), {**_retry_after(content), **(headers or {})}
    return HttpResponse(body, content_type=CONTENT_TYPE, status=content["status"], headers=headers)


def _retry_after(content: Problem) -> dict[str, str]:
    if "until" not in content:
        return {}
    left = datetime.fromisoformat(content["until"]) - timezone.now()
    return {"Retry-After": str(_whole_seconds(left.total_seconds()))}


def by_status(status: int) -> Problem:
    code, detail = _BY_STATUS.get(status, _BY_STATUS[400 if status < 500 else 500])
    return problem(status, code, gettext(detail))


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The exception handler of REST framework. ``None`` means our own error, which is logged and becomes 500."""
    if isinstance(error, refusals.Refusal):
        return answer(_of_refusal(error))
    if isinstance(error, RequestDataTooBig):
        error = TooLarge()
    elif isinstance(error, OperationalError | InterfaceError) and not connection.is_usable():
        log.exception("the database cannot be reached")
        return answer(by_status(503), {"Retry-After": str(DATABASE_RETRY_SECONDS)})
    elif isinstance(error, Http404):
        return answer(by_status(404))
    elif isinstance(error, PermissionDenied):
        return answer(by_status(403))
    if not isinstance(error, exceptions.APIException):
        return None
    headers = {}
    if isinstance(error, exceptions.Throttled):
        headers["Retry-After"] = str(_seconds(error))
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    return answer(_of_api_exception(error), headers)


def _of_refusal(refusal: refusals.Refusal) -> Problem:
    status = next(status for kind, status in _STATUS.items() if isinstance(refusal, kind))
    fields: list[FieldError] = []
    if refusal.field is not None:
        fields = [{"field": refusal.field, "code": refusal.code, "detail": refusal.detail}]
    content = problem(status, refusal.code, refusal.detail, fields)
    if refusal.until is not None:
        content["until"] = refusal.until.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return content


def _of_api_exception(error: exceptions.APIException) -> Problem:
    if isinstance(error, BadQuery):
        fields = list(_fields(error.detail))
        code = fields[0]["code"] if len(fields) == 1 and fields[0]["field"] is None else error.default_code
        return problem(400, code, gettext("The query of the address is not valid."), fields)
    if isinstance(error, exceptions.ValidationError):
        return problem(422, "validation_failed", gettext("The input is not valid."), list(_fields(error.detail)))
    if isinstance(error, exceptions.Throttled):
        detail = gettext("Too many requests; try again in %(seconds)d s.") % {"seconds": _seconds(error)}
        return problem(429, "throttled", detail)
    return problem(error.status_code, str(error.get_codes()), str(error.detail))


def _seconds(error: exceptions.Throttled) -> int:
    return _whole_seconds(getattr(error, "wait", None) or 1)


def _whole_seconds(seconds: float) -> int:
    return max(1, math.ceil(seconds))


def _fields(detail: Any, path: str = "") -> Iterator[FieldError]:
    """The nested error details of REST framework as a flat list."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _fields(inner, path if whole else f"{path}.{name}".lstrip("."))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from _fields(inner, f"{path}.{number}".lstrip(".") if nested else path)
    else:
        yield {"field": path or None, "code": detail.code, "detail": str(detail)}
