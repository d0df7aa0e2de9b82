"""Limits of accounts."""

from __future__ import annotations

from datetime import timedelta

MIN_USERNAME = 2
"""Fewest characters of a username."""

MAX_USERNAME = 30
"""Most characters of a username, so that it fits into a row of a list."""

MAX_BLOCKS = 1000
"""Most players that one account can block. Pairing reads all blocks of the players in the queue."""

LONGEST_SUSPENSION = timedelta(days=3653)
"""Ten years. A later end is a typing error, or the suspension should have no end."""

MAX_SEARCHED_ACCOUNTS = 50
"""Most accounts that an admin search looks for. With more, a longer part of the name is needed."""

KEY_USE_RESOLUTION = timedelta(minutes=1)
"""How exactly the last use of a service key is stored. More exactly, each request would write the same row."""
