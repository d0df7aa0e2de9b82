"""The admin pages of ladders, matches, the ledger and decay."""

from ladder.admin import decay_pause, decay_run, ladder, match, rating_entry, report, standing  # noqa: F401
