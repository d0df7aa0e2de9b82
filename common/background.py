"""Starting background tasks at once. If the broker cannot be reached, the schedule starts them later."""

from __future__ import annotations

import logging
import time
from functools import cache

from celery import Task, current_app
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers

from common.limits import BROKER_TIMEOUT_SECONDS, REDIS_PAUSE_SECONDS, TASK_EXPIRY_SECONDS

log = logging.getLogger(__name__)

# A request waits for this. Celery's own connections retry for much longer.
_TRANSPORT_OPTIONS = {
    "max_retries": 0, "socket_timeout": BROKER_TIMEOUT_SECONDS, "socket_connect_timeout": BROKER_TIMEOUT_SECONDS,
}  # fmt: skip

_paused_until = 0.0


def run_soon(task: Task[..., object]) -> None:
    """Run the task as soon as a worker is free. If the broker cannot be reached, wait for the schedule instead."""
    global _paused_until
    if time.monotonic() < _paused_until:
        return
    try:
        with producers[_broker()].acquire(block=True) as producer:
            task.apply_async(producer=producer, retry=False, expires=TASK_EXPIRY_SECONDS)
    except OperationalError as error:
        log.warning("the broker cannot be reached, %s waits for the schedule: %s", task.name, error)
        _paused_until = time.monotonic() + REDIS_PAUSE_SECONDS


@cache
def _broker() -> Connection:
    connection = current_app.connection_for_write()
    connection.transport_options = {**(connection.transport_options or {}), **_TRANSPORT_OPTIONS}
    return connection
