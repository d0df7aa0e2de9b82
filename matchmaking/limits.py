"""Limits and batch sizes of matchmaking. The lengths of penalties are in ``cooldowns``."""

from __future__ import annotations

from datetime import timedelta

MAX_OPEN_CHALLENGES = 10
"""Most challenges of one player that wait for an answer, so that nobody can send them to everyone."""

REMATCH_PERIOD = timedelta(minutes=30)
"""How long after the end of a match a rematch can be proposed."""

MAX_OPEN_INVITES = 20
"""Most invites of one player that can still be used."""

INVITE_OFFER_TIME = timedelta(minutes=1)
"""Expiry of the match of an invite. Both players accept it in the transaction that creates it."""

MAX_SLUG_INPUT = 50
"""Characters of a ladder's slug in a request: the length of the database column."""

MAX_TOKEN_INPUT = 200
"""Characters of an invite token in a request. Ours have 43."""

TICKETS_PER_BATCH = 500
"""Most silent tickets that one transaction closes."""

OFFERS_PER_TRANSACTION = 250
"""Offers that one transaction creates. A player who cancels a ticket in it waits until it commits."""

MAX_WAVES = 10
"""Most waves that one task runs. It repeats the wave for tickets that came meanwhile, but must not run for ever."""

MAX_REMOVE_ATTEMPTS = 3
"""Attempts to remove a ticket from the queue. An offer that ends can put it back between two attempts."""

LONGEST_OFFER = timedelta(hours=1)
"""No offer of the queue is open for longer. So a range of match ids can be given for a range of times."""

LONGEST_MATCH = timedelta(days=3)
"""Few matches take longer from start to result. Longer ones are not found as earlier meetings."""

MEETING_PERIOD = timedelta(days=1)
"""How long a match counts as an earlier meeting of its players."""

UNDELIVERED_PAUSE = timedelta(minutes=1)
"""How long two players are not paired again after an offer that was not delivered to one of them."""

LONGEST_FORECAST_QUEUE = 1_000
"""Longest queue for which the admin computes the next wave. The page is loaded every few seconds."""

QUEUE_PAGE_ROWS = 100
"""Tickets of each ladder on the queue page of the admin."""

QUEUE_PAGE_SECONDS = 5
"""How often the queue page is loaded again."""

MAX_REPEAT_PAIRS = 50
"""Most pairs on the page of repeat opponents."""

METRICS_PERIOD = timedelta(hours=1)
"""The period of the metrics about offers."""
