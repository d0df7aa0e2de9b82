"""Age groups, where a rating system treats juniors differently."""

from __future__ import annotations

from datetime import date

JUNIOR_AGE = 18


def is_junior(birth_year: int | None, day: date) -> bool:
    """Whether a player counts as a junior on that day: until the end of the year in which they turn 18.

    Somebody whose year of birth is not known is no junior.
    """
    return birth_year is not None and day.year - birth_year <= JUNIOR_AGE
