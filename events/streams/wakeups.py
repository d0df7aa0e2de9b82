"""Redis says at once whom to wake. Without it nothing is lost: the hub looks for itself every few seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from events.services.writing import WAKE

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds between two tries to reach Redis."""


async def listen(wake: Callable[[int], None]) -> None:
    """Call ``wake`` with the id of each account that something was written for, for ever."""
    is_away = False
    while True:
        try:
            async with _connection() as redis, redis.pubsub() as channel:
                await channel.subscribe(WAKE)
                async for message in channel.listen():
                    if is_away:
                        log.info("Redis wakes the event streams again")
                        is_away = False
                    if message["type"] == "message":
                        for account_id in filter(bytes.isdigit, message["data"].split(b",")):
                            wake(int(account_id))
        except (RedisError, OSError) as error:
            if not is_away:
                log.warning("Redis is out of reach, event streams look for themselves: %s", error)
            is_away = True
        await asyncio.sleep(PAUSE)


def _connection() -> Redis:
    # A host that vanishes without a word is noticed by the questions asked in between.
    return Redis.from_url(settings.CACHES["default"]["LOCATION"], health_check_interval=10)
