"""Ladders, matches, the ledger and decay in the admin. One noun a file; ``ruling`` is the moderators' main work."""

from ladder.admin import decay_pause, decay_run, ladder, match, rating_entry, report, standing  # noqa: F401
