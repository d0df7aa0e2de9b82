"""The allowed match lengths, in points."""

from __future__ import annotations

MIN_MATCH_LENGTH = 1
MAX_MATCH_LENGTH = 99


def check_match_length(length: int) -> None:
    """Raise ``ValueError`` unless the match length is allowed."""
    if not MIN_MATCH_LENGTH <= length <= MAX_MATCH_LENGTH:
        raise ValueError(f"match length must be {MIN_MATCH_LENGTH} to {MAX_MATCH_LENGTH}, not {length}")
