"""What fails outside of any view is a problem document too: an unknown address, a bad host, our own failures."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation

from common.api import problems

# Sign-in limits are counted over minutes, by a library that does not say how many seconds are left.
RETRY_AFTER = "60"


class ProblemMiddleware:
    """Give every error under ``/api/`` the same shape, and every 429 a ``Retry-After``.

    Under ``/_allauth/`` errors have the shape of that library, except where it leaves them to us.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", RETRY_AFTER)
        if response.status_code < 400 or not request.path_info.startswith(("/api/", "/_allauth/")):
            return response
        if response.headers.get("Content-Type") in (problems.CONTENT_TYPE, "application/json"):
            return response
        return self._as_problem(request, response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        # What the library does not look for: JSON nested too deeply to be read, and halves of characters.
        senseless = isinstance(exception, RecursionError | UnicodeEncodeError)
        if senseless and request.path_info.startswith("/_allauth/"):
            return problems.answer(problems.by_status(400))
        return None

    def _as_problem(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
        language = translation.get_language_from_request(request)
        with translation.override(language):
            answer = problems.answer(problems.by_status(response.status_code))
        for name in ("Allow", "Retry-After", "WWW-Authenticate"):
            if name in response.headers:
                answer.headers[name] = response.headers[name]
        answer.headers["Content-Language"] = language
        answer.headers["Vary"] = "Accept-Language"
        return answer
