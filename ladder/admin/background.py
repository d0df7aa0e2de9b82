"""Work that a page hands to a worker."""

from __future__ import annotations

from django.db import transaction

from config.celery import app

BRING_DECAY_UP_TO_DATE = "ladder.tasks.bring_decay_up_to_date"


def start(task: str) -> None:
    """Have a worker do it soon, once what is written now is committed.

    For tasks that beat starts too: with the broker away nothing is lost, it is only done later, and the page goes on.
    """

    def send() -> None:
        app.send_task(task)

    transaction.on_commit(send, robust=True)
