"""Asking for background work at once, where nothing is lost if nobody hears it: the schedule asks again."""

from __future__ import annotations

import logging

from celery import Task
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def soon(task: Task[..., object]) -> None:
    """Have a worker do this as soon as one is free. Without a broker, the task waits for its place in the schedule."""
    try:
        task.apply_async(retry=False, expires=10)
    except OperationalError as error:
        log.warning("no broker, leaving %s to the schedule: %s", task.name, error)
