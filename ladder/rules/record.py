"""Wins, losses and the streak of a player."""

from __future__ import annotations


def next_streak(streak: int, *, won: bool) -> int:
    """The streak after one more match: wins count upwards from 0, losses downwards."""
    return max(streak, 0) + 1 if won else min(streak, 0) - 1
