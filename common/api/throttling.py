"""Limits on the number of requests: one counter in the cache for each caller, scope and period."""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from common.cache import default_cache
from common.idempotency import account_caller

Scope = Literal["read", "write", "service", "queue", "arranged"]


class CallerThrottle(SimpleRateThrottle):
    """Counts by service key, account or IP address. The rates are in the settings; an empty rate means no limit.

    REST framework's own throttle stores the time of each request in one list. Two requests at the same time overwrite
    it, and with a high limit it is long.
    """

    seconds_left: float | None = None

    def __init__(self) -> None:
        # The scope and the rate depend on the request.
        pass

    def allow_request(self, request: Request, view: Any) -> bool:
        return all(self.allow(request, scope) for scope in self.scopes_of(request, view))

    def allow(self, request: Request, scope: Scope) -> bool:
        """Count the request in one scope. True if it is within the limit."""
        limit, duration = self.parse_rate(self.THROTTLE_RATES.get(scope) or None)
        if not limit or not duration:
            return True
        period, elapsed = divmod(self.timer(), duration)
        key = f"throttle:{scope}:{self.caller_of(request)}:{period:.0f}"
        if default_cache().increment(key, duration) <= limit:
            return True
        self.seconds_left = duration - elapsed
        return False

    def wait(self) -> float | None:
        return self.seconds_left

    def scopes_of(self, request: Request, view: Any) -> list[Scope]:
        """A write request to a view with a ``limit`` also counts in that scope."""
        if isinstance(request.auth, KeyHolder):
            return [request.auth.throttle_scope]
        if request.method in SAFE_METHODS or getattr(view, "only_reads", False):
            return ["read"]
        narrower: Scope | None = getattr(view, "limit", None)
        return ["write", narrower] if narrower else ["write"]

    def caller_of(self, request: Request) -> str:
        return caller_name(request) or f"address:{self.get_ident(request)}"


@runtime_checkable
class KeyHolder(Protocol):
    """A caller with a service key instead of an account."""

    @property
    def caller_name(self) -> str: ...

    @property
    def throttle_scope(self) -> Scope: ...


def caller_name(request: Request) -> str | None:
    """Identifies the caller; ``None`` for an anonymous one."""
    if isinstance(request.auth, KeyHolder):
        return request.auth.caller_name
    return account_caller(request.user.pk) if request.user.is_authenticated else None
