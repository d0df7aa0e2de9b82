"""Celery, with its schedule in code: a database-stored one drifts from the code that it is meant to run."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def every(seconds: float, task: str, *, expires: float | None = None) -> dict[str, object]:
    """A task that nobody took before the next is due is worth nothing: expiry keeps a stopped worker's queue short."""
    return {"task": task, "schedule": seconds, "options": {"expires": expires or seconds}}


app.conf.beat_schedule = {
    "confirm-overdue-matches": every(15.0, "ladder.tasks.confirm_overdue_matches"),
    "expire-matches": every(2.0, "ladder.tasks.expire_matches"),
    # A new ticket asks for a wave itself; this is for those whom only more waiting brings together.
    "pair-waiting-players": every(3.0, "matchmaking.tasks.pair_waiting"),
    "remove-silent-tickets": every(10.0, "matchmaking.tasks.remove_silent_tickets"),
    # Not a nightly hour: the task works out itself which days are due, in each ladder's time zone.
    "bring-decay-up-to-date": every(300.0, "ladder.tasks.bring_decay_up_to_date"),
    "delete-expired-sessions": every(86400.0, "accounts.tasks.delete_expired_sessions", expires=3600.0),
    "delete-old-events": every(86400.0, "events.tasks.delete_old_events", expires=3600.0),
    "delete-expired-idempotency-keys": every(3600.0, "common.tasks.delete_expired_idempotency_keys"),
}
