"""Problem documents for errors outside of views: an unknown address, a bad host, our own errors."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation

from common.api import problems
from common.limits import SIGN_IN_RETRY_SECONDS


class ProblemMiddleware:
    """Make every error under ``/api/`` a problem document, and add ``Retry-After`` to every 429.

    Under ``/_allauth/``, errors keep the format of that library if it has handled them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", str(SIGN_IN_RETRY_SECONDS))
        if response.status_code < 400 or not request.path_info.startswith(("/api/", "/_allauth/")):
            return response
        if response.headers.get("Content-Type") in (problems.CONTENT_TYPE, "application/json"):
            return response
        return self._as_problem(request, response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        # The library does not check for JSON that is nested too deeply, or for half of a surrogate pair.
        bad_input = isinstance(exception, RecursionError | UnicodeEncodeError)
        if bad_input and request.path_info.startswith("/_allauth/"):
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
