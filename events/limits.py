"""Limits and batch sizes of events."""

from __future__ import annotations

from datetime import timedelta

EVENTS_PER_READ = 100  # events of one account that are read at once: a page of a poll
STREAMS_PER_READ = 500  # accounts whose events one statement reads, so that none takes long
DELETED_PER_BATCH = 10_000  # old events that one transaction deletes, so that none is long
DATABASE_THREADS = 2  # of each process, for its streams; with two, one slow query does not delay all streams
MAX_EVENT_NUMBER = 2**31 - 1  # the largest number in the database column
MAX_POLL_SECONDS = 30  # longest wait of a poll; many proxies close a connection that is silent for a minute
POLL_SECONDS = 25  # wait of a poll, by default
TOKEN_LIFETIME = timedelta(hours=12)  # of a token for the address of a stream; addresses are written to logs
RECONNECT_MILLISECONDS = 2000  # pause before a browser opens a lost stream again, so that a restart is not overrun
REDIS_RETRY_SECONDS = 1.0  # between two attempts to subscribe while Redis cannot be reached
REDIS_HEALTH_CHECK_SECONDS = 10  # between two checks of a subscription, so that a lost connection is noticed
