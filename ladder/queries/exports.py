"""Standings as a CSV file."""

from __future__ import annotations

import csv
from typing import Protocol

from ladder.models import Ladder, Standing

COLUMNS = ("player", "rating", "experience", "wins", "losses", "peak_rating")


class Writable(Protocol):
    def write(self, text: str, /) -> object: ...


def export_standings(ladder: Ladder, out: Writable) -> int:
    """Write the standings of all players who have played on the ladder, by username. Returns their number.

    The rows are read while they are written, so memory does not grow with the ladder.
    """
    played = Standing.objects.filter(ladder=ladder, last_ranked_at__isnull=False).order_by("player__username")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for row in played.values_list("player__username", *COLUMNS[1:]).iterator():
        writer.writerow(row)
        count += 1
    return count
