"""Juniors. Some rating systems use other constants for them."""

from __future__ import annotations

from datetime import date

JUNIOR_AGE = 18


def is_junior(birth_year: int | None, day: date) -> bool:
    """Whether a player is a junior on that day: until the end of the year in which they become 18.

    ``None``: the year of birth is not known, and the player is not a junior.
    """
    return birth_year is not None and day.year - birth_year <= JUNIOR_AGE
