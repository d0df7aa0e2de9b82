"""The cache: Django's own for Redis, except that nothing breaks when Redis is away."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError, TimeoutError

log = logging.getLogger(__name__)

# How long to leave an unreachable server alone, in seconds: waiting for it would slow every request down.
PAUSE = 2.0


class KeptClients(RedisCacheClient):
    """Django's own makes a client for each call, which costs more than the call: this keeps one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept: Any = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        # One server is configured, so reading and writing go to the same.
        if self._kept is None:
            self._kept = super().get_client(key, write=write)
        return self._kept


class ForgetfulRedisCache(RedisCache):
    """A cache that is empty, and forgets what it is given, while its server is out of reach.

    It counts requests (limits of the API and of signing in), which then pass: the ladder itself stands on the
    database alone. ``reachable`` tells operators.
    """

    _away_until = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._class = KeptClients

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._or(default, super().get, key, default, version)

    def add(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(self._or(True, super().add, key, *args, **kwargs))

    def set(self, key: Any, *args: Any, **kwargs: Any) -> None:
        self._or(None, super().set, key, *args, **kwargs)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._or(False, super().delete, key, version))

    def count(self, key: str, seconds: int) -> int:
        """Count one more under the key, in one round trip; its count is forgotten ``seconds`` after the first."""

        def more() -> int:
            name = self.make_and_validate_key(key)
            pipeline = self._cache.get_client(name, write=True).pipeline(transaction=False)
            pipeline.set(name, 0, ex=seconds, nx=True)
            pipeline.incr(name)
            return int(pipeline.execute()[-1])

        return int(self._or(0, more))

    def publish(self, channel: str, message: str) -> None:
        """Tell whoever listens on the channel right now; nobody, while the server is out of reach."""
        self._or(None, lambda: self._cache.get_client(None, write=True).publish(channel, message))

    def reachable(self) -> bool:
        try:
            return bool(self._cache.get_client().ping())
        except (ConnectionError, TimeoutError):
            return False

    def _or(self, otherwise: Any, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() < self._away_until:
            return otherwise
        try:
            return work(*args, **kwargs)
        except (ConnectionError, TimeoutError) as error:
            log.warning("cache out of reach, going on without it: %s", error)
            self._away_until = time.monotonic() + PAUSE
            return otherwise


def the_cache() -> ForgetfulRedisCache:
    """The default cache, which the settings make one of these."""
    cache = caches["default"]
    assert isinstance(cache, ForgetfulRedisCache)
    return cache
