"""Limits that all apps share."""

from __future__ import annotations

MAX_TEXT = 2000
"""Characters of a reason or a comment: about one page."""

MAX_USERNAME_INPUT = 150
"""Characters of a username in a request. Longer than any username: whether it is valid is checked later."""

MAX_CURSOR = 500
"""Characters of a cursor in a request. Ours are shorter."""

PAGE_SIZE = 50
"""Rows on a page of the API or the admin, if the request does not say."""

MAX_PAGE_SIZE = 100
"""Most rows on a page of the API."""

MAX_BODY_BYTES = 64 * 1024
"""Largest body of an API request. The largest valid one has a few kilobytes."""

SIGN_IN_RETRY_SECONDS = 60
"""``Retry-After`` for the sign-in limits. Their library counts in minutes and does not say how long to wait."""

DATABASE_RETRY_SECONDS = 5
"""``Retry-After`` while the database cannot be reached: about as long as a restart."""

REDIS_PAUSE_SECONDS = 2.0
"""How long Redis is not used after it could not be reached. Each attempt would slow down a request."""

BROKER_TIMEOUT_SECONDS = 0.5
"""Longest wait for the broker within a request."""

TASK_EXPIRY_SECONDS = 10
"""After this, a task that no worker has taken is dropped: the schedule has started it again."""
