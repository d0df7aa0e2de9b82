"""Celery, with its schedule in code: a database-stored one drifts from the code that it is meant to run."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A task that nobody took before the next one is due is worth nothing: expiry keeps a stopped worker's queue short.
app.conf.beat_schedule = {
    "settle-overdue-matches": {
        "task": "ladder.tasks.confirm_overdue_matches",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    "expire-matches": {
        "task": "ladder.tasks.expire_matches",
        "schedule": 2.0,
        "options": {"expires": 2.0},
    },
    # A new ticket asks for a wave itself; this is for those whom only more waiting brings together.
    "pair-waiting-players": {
        "task": "matchmaking.tasks.pair_waiting",
        "schedule": 3.0,
        "options": {"expires": 3.0},
    },
    "remove-silent-tickets": {
        "task": "matchmaking.tasks.remove_silent_tickets",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    # Not a nightly hour: the task works out itself which days are due, in each ladder's time zone.
    "bring-decay-up-to-date": {
        "task": "ladder.tasks.bring_decay_up_to_date",
        "schedule": 300.0,
        "options": {"expires": 300.0},
    },
    "forget-sessions": {
        "task": "ladder.tasks.forget_sessions",
        "schedule": 86400.0,
        "options": {"expires": 3600.0},
    },
    "forget-old-events": {
        "task": "ladder.tasks.forget_old_events",
        "schedule": 86400.0,
        "options": {"expires": 3600.0},
    },
    "forget-idempotency-keys": {
        "task": "ladder.tasks.forget_idempotency_keys",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
}
