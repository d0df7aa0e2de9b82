"""Limits and batch sizes of events."""

from __future__ import annotations

from datetime import timedelta

EVENTS_PER_READ = 100
"""Events of one account that are read at once: a page of a poll, or the frames that a stream sends together."""

STREAMS_PER_READ = 500
"""Accounts whose events are read in one statement. More wait for the next statement, so none takes long."""

DELETED_PER_BATCH = 10_000
"""Old events that one transaction deletes, so that no transaction is long."""

DATABASE_THREADS = 2
"""Threads of each process that read for its event streams. With two, one slow query does not delay all streams."""

MAX_EVENT_NUMBER = 2**31 - 1
"""The largest number that the database column holds."""

MAX_POLL_SECONDS = 30
"""Longest wait of a long poll. Many proxies close a connection that is silent for a minute."""

POLL_SECONDS = 25
"""Wait of a long poll that asks for no other."""

TOKEN_LIFETIME = timedelta(hours=12)
"""How long a token for the address of a stream is valid. Addresses are logged, so it is not valid for ever."""

RECONNECT_MILLISECONDS = 2000
"""How long a browser waits before it opens a lost stream again."""

REDIS_RETRY_SECONDS = 1.0
"""Time between two attempts to subscribe while Redis cannot be reached."""

REDIS_HEALTH_CHECK_SECONDS = 10
"""How often a subscription is checked, so that a lost connection is noticed."""
