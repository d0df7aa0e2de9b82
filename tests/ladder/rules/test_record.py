"""The streak counts wins upwards from 0 and losses downwards."""

from __future__ import annotations

import pytest

from ladder.rules.record import next_streak


@pytest.mark.parametrize(
    ("streak", "won", "after"),
    [(0, True, 1), (0, False, -1), (3, True, 4), (3, False, -1), (-2, False, -3), (-2, True, 1)],
)
def test_next_streak(streak: int, won: bool, after: int) -> None:
    assert next_streak(streak, won=won) == after
