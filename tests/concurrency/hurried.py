"""The product's Celery with seconds where it has minutes, and with batches of two standings."""

from __future__ import annotations

from celery.signals import worker_process_init

from config.celery import app

__all__ = ["app"]

NIGHTLY = "bring-decay-up-to-date"
REDELIVERED_AFTER = 1  # seconds

app.conf.beat_schedule = {NIGHTLY: {**app.conf.beat_schedule[NIGHTLY], "schedule": 0.5}}
app.conf.broker_transport_options = {
    "visibility_timeout": REDELIVERED_AFTER,
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
}


@worker_process_init.connect
def small_batches(**_: object) -> None:
    from ladder.services.decay import runs

    runs.STANDINGS_PER_DECAY_BATCH = 2  # type: ignore[attr-defined]  # imported there from ladder.limits
