"""Limits and batch sizes of the ladder."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

MAX_LENGTHS = 50
"""Most match lengths of a ladder. Pairing stores the lengths of a player as the bits of one number (at most 53)."""

MAX_UNCONFIRMED_WINS = 3
"""A player with this many claimed wins that nobody has confirmed starts no ranked match."""

STANDINGS_PER_DECAY_BATCH = 1_000
"""Standings that one transaction of decay changes. Their matches cannot settle until it commits, in about 30 ms."""

STANDINGS_PER_NOTICE_BATCH = 1_000
"""Players who get a decay notice in one transaction. Their matches cannot settle until it commits."""

MAX_PAUSE = timedelta(days=366)
"""Longest decay pause, and the latest end from today. More is probably a mistyped year."""

MAX_POINTS = Decimal(1_000_000)
"""Largest rating of an import and largest adjustment, in points. The columns of the ledger hold ten times as much."""

MAX_EXPERIENCE = 2_000_000_000
"""Largest experience of an imported standing, in match points: the database column holds a little more."""

MATCHES_PER_SWEEP = 500
"""Most matches that one run of a sweep confirms or expires. The next run does the rest."""

MATCHES_PER_IMPORT_BATCH = 200
"""Imported matches in one transaction.

Other matches of their players cannot settle until it commits, in about 0.1 s.
"""

STANDINGS_PER_IMPORT_BATCH = 1_000
"""Standings that an import creates in one statement."""

ACCOUNTS_PER_IMPORT_BATCH = 200
"""Accounts that an import creates in one transaction."""

ROWS_PER_IMPORT_CHECK = 5_000
"""Rows of an import file that one query compares with the database."""

CACHED_IMPORT_VALUES = 100_000
"""Names and dates of an import file that are kept in memory only once, because they repeat."""

EARLIEST_IMPORT = date(1900, 1, 1)
"""Earliest date of an imported match. An earlier one is probably mistyped."""

MAX_PRINTED_PROBLEMS = 50
"""Most problems of an import or a verification that are printed. The others are counted."""

ROWS_PER_FETCH = 5_000
"""Rows that a verification reads from the database at a time."""

FLOAT_TOLERANCE = 1e-12
"""Relative difference of floats that a verification accepts. The last bits of a power depend on the machine."""

DASHBOARD_ROWS = 8
"""Most disputes and ledger entries on the start page of the admin."""

CHART_DAYS = 30
"""Days on the decay chart of the admin."""

MAX_DRAWN_DAYS = 3_650
"""Most days in the drawing of ``draw_decay``."""
