"""Limits that all apps share."""

from __future__ import annotations

MAX_TEXT = 2000  # characters of a reason or a comment: about one page
MAX_USERNAME_INPUT = 150  # characters in a request; longer than any username, whose rules are checked later
MAX_CURSOR = 500  # characters of a cursor in a request; ours are shorter
PAGE_SIZE = 50  # rows on a page of the API or the admin, by default
MAX_PAGE_SIZE = 100  # rows on a page of the API, so that an answer stays small
MAX_BODY_BYTES = 64 * 1024  # of an API request; the largest valid one has a few kilobytes
# Retry-After for the sign-in limits, whose library counts in minutes and does not say how long to wait.
SIGN_IN_RETRY_SECONDS = 60
DATABASE_RETRY_SECONDS = 5  # Retry-After while the database cannot be reached: about as long as a restart
REDIS_PAUSE_SECONDS = 2.0  # Redis is not used for so long after a failure, because each attempt delays a request
BROKER_TIMEOUT_SECONDS = 0.5  # longest wait for the broker within a request
TASK_EXPIRY_SECONDS = 10  # then a task that no worker has taken is dropped: the schedule has started it again
