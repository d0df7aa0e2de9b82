"""Asking for background work at once, where nothing is lost if nobody hears it: the schedule asks again."""

from __future__ import annotations

import logging
import time
from functools import cache

from celery import Task, current_app
from kombu import Connection
from kombu.exceptions import OperationalError
from kombu.pools import producers

from common.cache import PAUSE

log = logging.getLogger(__name__)

# Somebody's request waits for this. Celery's own connections, which workers listen on, are patient.
_IMPATIENT = {"max_retries": 0, "socket_timeout": 0.5, "socket_connect_timeout": 0.5}

_away_until = 0.0


def soon(task: Task[..., object]) -> None:
    """Have a worker do this as soon as one is free. Without a broker, the task waits for its place in the schedule."""
    global _away_until
    if time.monotonic() < _away_until:
        return
    try:
        with producers[_broker()].acquire(block=True) as producer:
            task.apply_async(producer=producer, retry=False, expires=10)
    except OperationalError as error:
        log.warning("no broker, leaving %s to the schedule: %s", task.name, error)
        _away_until = time.monotonic() + PAUSE


@cache
def _broker() -> Connection:
    connection = current_app.connection_for_write()
    connection.transport_options = {**(connection.transport_options or {}), **_IMPATIENT}
    return connection
