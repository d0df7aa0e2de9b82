"""How often a caller may call: one counter in the cache for each caller, scope and window of time."""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from common.cache import the_cache
from common.idempotency import caller_name

Scope = Literal["read", "write", "service", "queue", "arranged"]


class CallerThrottle(SimpleRateThrottle):
    """Counts by service key, account or address. The rates stand in the settings; an empty one means no limit.

    REST framework's own throttle keeps the time of each request in one list, which two requests at once overwrite,
    and which is long where the limit is high.
    """

    seconds_left: float | None = None

    def __init__(self) -> None:
        # The scope, and with it the rate, depends on the request.
        pass

    def allow_request(self, request: Request, view: Any) -> bool:
        return all(self.allow(request, scope) for scope in self.scopes_of(request, view))

    def allow(self, request: Request, scope: Scope) -> bool:
        """Count the request in one scope; whether it is within the limit."""
        limit, duration = self.parse_rate(self.THROTTLE_RATES.get(scope) or None)
        if not limit or not duration:
            return True
        window, elapsed = divmod(self.timer(), duration)
        key = f"throttle:{scope}:{self.caller_of(request)}:{window:.0f}"
        if the_cache().count(key, duration) <= limit:
            return True
        self.seconds_left = duration - elapsed
        return False

    def wait(self) -> float | None:
        return self.seconds_left

    def scopes_of(self, request: Request, view: Any) -> list[Scope]:
        """Writing to a view that names a ``limit`` of its own counts there as well."""
        if isinstance(request.auth, KeyHolder):
            return [request.auth.throttle_scope]
        if request.method in SAFE_METHODS or getattr(view, "only_reads", False):
            return ["read"]
        narrower: Scope | None = getattr(view, "limit", None)
        return ["write", narrower] if narrower else ["write"]

    def caller_of(self, request: Request) -> str:
        return caller(request) or f"address:{self.get_ident(request)}"


@runtime_checkable
class KeyHolder(Protocol):
    """A caller that is no account: it has shown a key, which knows its name and which limit it counts towards."""

    @property
    def caller_name(self) -> str: ...

    @property
    def throttle_scope(self) -> Scope: ...


def caller(request: Request) -> str | None:
    """Who calls, in one word; ``None`` for an anonymous caller."""
    if isinstance(request.auth, KeyHolder):
        return request.auth.caller_name
    return caller_name(request.user.pk) if request.user.is_authenticated else None
