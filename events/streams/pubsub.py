"""The subscription to Redis, which says which accounts have new events. Without Redis, the hub checks the database."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from events.limits import REDIS_HEALTH_CHECK_SECONDS, REDIS_RETRY_SECONDS
from events.services.writing import CHANNEL

log = logging.getLogger(__name__)


async def subscribe(notify: Callable[[int], None]) -> None:
    """Call ``notify`` with the id of each account that has new events, without end."""
    is_down = False
    while True:
        try:
            async with _connection() as redis, redis.pubsub() as subscription:
                await subscription.subscribe(CHANNEL)
                async for message in subscription.listen():
                    if is_down:
                        log.info("Redis notifies the event streams again")
                        is_down = False
                    if message["type"] == "message":
                        for account_id in filter(bytes.isdigit, message["data"].split(b",")):
                            notify(int(account_id))
        except (RedisError, OSError) as error:
            if not is_down:
                log.warning("Redis cannot be reached, event streams check the database: %s", error)
            is_down = True
        await asyncio.sleep(REDIS_RETRY_SECONDS)


def _connection() -> Redis:
    return Redis.from_url(settings.CACHES["default"]["LOCATION"], health_check_interval=REDIS_HEALTH_CHECK_SECONDS)
