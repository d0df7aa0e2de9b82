"""Checking the whole file before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from django.utils import timezone

from ladder.limits import ROWS_PER_IMPORT_CHECK
from ladder.models import Ladder
from ladder.services.importing import csv_file
from ladder.services.importing.csv_file import FileRefused, Problems, Row
from ladder.services.importing.existing import content_of, difference, existing_matches
from ladder.services.importing.players import Roster, look_up
from ladder.services.ladders import plan_ladder


@dataclass(frozen=True, slots=True)
class Plan:
    """A checked file. ``ladder`` is not saved if it does not exist yet.

    ``rows`` are the matches to add, in playing order. ``self_matches`` are not imported: winner and loser are the same.
    """

    ladder: Ladder
    roster: Roster
    rows: list[Row]
    self_matches: list[Row]
    already_there: int


def check(path: Path, slug: str, *, rules: str | None = None, options: Mapping[str, int] | None = None) -> Plan:
    """Check a file for the ladder with this slug. ``rules`` and ``options`` are as in
    :func:`ladder.services.ladders.plan_ladder`.

    Raises ``FileRefused`` with the bad lines and their reasons, and the errors of ``plan_ladder``.
    """
    ladder = plan_ladder(slug, rules, options)
    try:
        file = path.read_bytes()
    except OSError as error:
        raise FileRefused(f"{path}: {error.strerror}") from error
    problems = Problems()
    rows = csv_file.read(file, today=timezone.localdate(timezone=ZoneInfo(ladder.time_zone)), problems=problems)
    roster = look_up({name for row in rows for name in (row.winner, row.loser)})
    self_matches = [row for row in rows if roster.keys[row.winner] == roster.keys[row.loser]]
    refused = {row.line for row in self_matches}
    playable = [row for row in rows if row.line not in refused]
    new = playable if ladder._state.adding else _new(playable, roster, ladder, problems)
    problems.refuse_if_any()
    return Plan(
        ladder=ladder, roster=roster, rows=new, self_matches=self_matches, already_there=len(playable) - len(new)
    )


def _new(rows: list[Row], roster: Roster, ladder: Ladder, problems: Problems) -> list[Row]:
    new = []
    for start in range(0, len(rows), ROWS_PER_IMPORT_CHECK):
        batch = rows[start : start + ROWS_PER_IMPORT_CHECK]
        existing = existing_matches(ladder, batch)
        for row in batch:
            if row.external_id not in existing:
                new.append(row)
            elif not existing[row.external_id].is_same_as(content_of(row, roster, ladder)):
                problems.add(row.line, difference(row))
    return new
