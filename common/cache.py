"""Django's Redis cache, changed so that requests still work when Redis cannot be reached."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError, TimeoutError

from common.limits import REDIS_PAUSE_SECONDS

log = logging.getLogger(__name__)


class SingleClient(RedisCacheClient):
    """Keeps one Redis client. Django's own class makes one for each call, which costs more than the call."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._single_client: Any = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        # There is one server, so the client for reading is also the one for writing.
        if self._single_client is None:
            self._single_client = super().get_client(key, write=write)
        return self._single_client


class OptionalRedisCache(RedisCache):
    """While Redis cannot be reached, this cache is empty and stores nothing.

    It only counts requests, for the limits of the API and of sign-in. Without it, requests are not limited.
    """

    _paused_until = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._class = SingleClient

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._try(default, super().get, key, default, version)

    def add(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(self._try(True, super().add, key, *args, **kwargs))

    def set(self, key: Any, *args: Any, **kwargs: Any) -> None:
        self._try(None, super().set, key, *args, **kwargs)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._try(False, super().delete, key, version))

    def increment(self, key: str, seconds: int) -> int:
        """Add 1 to a counter, in one round trip, and return it. The counter ends ``seconds`` after its first use."""

        def increment() -> int:
            name = self.make_and_validate_key(key)
            pipeline = self._cache.get_client(name, write=True).pipeline(transaction=False)
            pipeline.set(name, 0, ex=seconds, nx=True)
            pipeline.incr(name)
            return int(pipeline.execute()[-1])

        return int(self._try(0, increment))

    def publish(self, channel: str, message: str) -> None:
        """Publish a message to the current subscribers of the channel."""
        self._try(None, lambda: self._cache.get_client(None, write=True).publish(channel, message))

    def is_reachable(self) -> bool:
        try:
            return bool(self._cache.get_client().ping())
        except (ConnectionError, TimeoutError):
            return False

    def _try(self, otherwise: Any, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call the function. If Redis cannot be reached, return ``otherwise``, and do not try again for a while."""
        if time.monotonic() < self._paused_until:
            return otherwise
        try:
            return function(*args, **kwargs)
        except (ConnectionError, TimeoutError) as error:
            log.warning("Redis cannot be reached, continuing without the cache: %s", error)
            self._paused_until = time.monotonic() + REDIS_PAUSE_SECONDS
            return otherwise


def default_cache() -> OptionalRedisCache:
    """The default cache, which is an ``OptionalRedisCache``."""
    cache = caches["default"]
    assert isinstance(cache, OptionalRedisCache)
    return cache
