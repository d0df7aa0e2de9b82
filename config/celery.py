"""Celery and its schedule. The schedule is in code, because one in the database can differ from the code it runs."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def every(seconds: float, task: str, *, expires: float | None = None) -> dict[str, object]:
    """A task expires if no worker takes it before the next is due, so the queue stays short without workers."""
    return {"task": task, "schedule": seconds, "options": {"expires": expires or seconds}}


app.conf.beat_schedule = {
    "confirm-overdue-matches": every(15.0, "ladder.tasks.confirm_overdue_matches"),
    "expire-matches": every(2.0, "ladder.tasks.expire_matches"),
    # A new ticket also starts a wave. This is for tickets that can be paired only after more waiting.
    "pair-waiting-players": every(3.0, "matchmaking.tasks.pair_waiting"),
    "remove-silent-tickets": every(10.0, "matchmaking.tasks.remove_silent_tickets"),
    # Not once a night: the task finds out which days are due, in each ladder's time zone.
    "bring-decay-up-to-date": every(300.0, "ladder.tasks.bring_decay_up_to_date"),
    "delete-expired-sessions": every(86400.0, "accounts.tasks.delete_expired_sessions", expires=3600.0),
    "delete-old-events": every(86400.0, "events.tasks.delete_old_events", expires=3600.0),
    "delete-expired-idempotency-keys": every(3600.0, "common.tasks.delete_expired_idempotency_keys"),
}
