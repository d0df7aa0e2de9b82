"""How long a match may be, in points."""

from __future__ import annotations

MIN_MATCH_LENGTH = 1
MAX_MATCH_LENGTH = 99


def check_match_length(length: int) -> None:
    """Accept a match length of 1 to 99 points. Raises ``ValueError`` for any other."""
    if not MIN_MATCH_LENGTH <= length <= MAX_MATCH_LENGTH:
        raise ValueError(f"match length must be {MIN_MATCH_LENGTH} to {MAX_MATCH_LENGTH}, not {length}")
