"""Exceptions of the services. The API, the admin and the commands show them in their own formats."""

from __future__ import annotations

from datetime import datetime


class Refusal(Exception):
    """The action is not possible, and nothing was changed.

    ``code`` is stable and part of the API. ``detail`` is a message for people. ``field`` is the name of the wrong
    input, if there is one. ``until`` is when the same action may succeed, if that is known.
    """

    def __init__(self, code: str, detail: str, *, field: str | None = None, until: datetime | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.field = field
        self.until = until


class Invalid(Refusal):
    """The input is not valid."""


class NotFound(Refusal):
    """The object does not exist, or the caller may not know that it does."""


class Forbidden(Refusal):
    """The caller may see the object but may not do this."""


class Conflict(Refusal):
    """This is not possible in the current state."""
