"""Limits and batch sizes of matchmaking. The lengths of penalties are in ``cooldowns``."""

from __future__ import annotations

from datetime import timedelta

MAX_OPEN_CHALLENGES = 10  # of one player, so that nobody sends them to everyone
MAX_OPEN_INVITES = 20  # of one player, that can still be used
REMATCH_PERIOD = timedelta(minutes=30)  # after the end of a match; later, it is a new challenge
INVITE_OFFER_TIME = timedelta(minutes=1)  # of the match of an invite, which both accept when it is created
MAX_SLUG_INPUT = 50  # characters of a ladder's slug in a request: the length of the database column
MAX_TOKEN_INPUT = 200  # characters of an invite token in a request; ours have 43

TICKETS_PER_BATCH = 500  # silent tickets that one transaction closes, so that it is short
OFFERS_PER_TRANSACTION = 250  # a player who cancels one of the tickets waits until they are committed
MAX_WAVES = 10  # of one task, which repeats a wave for tickets that came meanwhile, but not for ever
MAX_REMOVE_ATTEMPTS = 3  # to remove a ticket; an offer that ends can put it back between two attempts

LONGEST_OFFER = timedelta(hours=1)  # no offer of the queue is open for longer, so times give ranges of match ids
LONGEST_MATCH = timedelta(days=3)  # from start to result; longer matches are not found as earlier meetings
MEETING_PERIOD = timedelta(days=1)  # how long a match counts as an earlier meeting of its players
UNDELIVERED_PAUSE = timedelta(minutes=1)  # two players are not paired again after an offer that was not delivered

LONGEST_FORECAST_QUEUE = 1_000  # tickets; for more, the queue page, which reloads often, does not compute a wave
QUEUE_PAGE_ROWS = 100  # tickets of each ladder on the queue page
QUEUE_PAGE_SECONDS = 5  # between two updates of the queue page
MAX_REPEAT_PAIRS = 50  # on the page of repeat opponents
METRICS_PERIOD = timedelta(hours=1)  # of the metrics about offers
