"""The streak of a player."""

from __future__ import annotations


def next_streak(streak: int, *, won: bool) -> int:
    """The streak after one more match: 3 means three wins in a row, -3 three losses in a row."""
    return max(streak, 0) + 1 if won else min(streak, 0) - 1
