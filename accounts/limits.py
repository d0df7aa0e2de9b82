"""Limits of accounts."""

from __future__ import annotations

from datetime import timedelta

MIN_USERNAME = 2  # characters
MAX_USERNAME = 30  # characters, so that a name fits into a row of a list
MAX_BLOCKS = 1000  # players that one account can block; pairing reads all blocks of the players in the queue
LONGEST_SUSPENSION = timedelta(days=3653)  # ten years; a later end is a typing error, or no end is meant
MAX_SEARCHED_ACCOUNTS = 50  # accounts that an admin search looks for; with more, a longer part of the name is needed
KEY_USE_RESOLUTION = timedelta(minutes=1)  # of a key's last use; if shorter, each request would write the same row
