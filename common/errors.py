"""Why a service refuses. Each refusal has a stable code; doors translate it, they do not decide it."""

from __future__ import annotations

from datetime import datetime


class Refusal(Exception):
    """The request cannot be granted, and nothing was changed.

    ``code`` is stable and part of the API; ``detail`` is for a person; ``field`` names the input at fault, if one is;
    ``until`` is when the same request may be granted, where that is known.
    """

    def __init__(self, code: str, detail: str, *, field: str | None = None, until: datetime | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.field = field
        self.until = until


class Invalid(Refusal):
    """The input breaks a rule."""


class NotFound(Refusal):
    """There is no such thing, or it is none of the caller's business."""


class Forbidden(Refusal):
    """The caller may see the thing but not do this to it."""


class Conflict(Refusal):
    """The thing is not in a state that allows this."""
