"""The check of the whole file against itself and against what is there, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from django.utils import timezone

from ladder.models import Ladder
from ladder.services.importing import sheet
from ladder.services.importing.known import content_of, contradiction, known_matches
from ladder.services.importing.players import Roster, look_up
from ladder.services.importing.problems import FileRefused, Problems
from ladder.services.importing.sheet import Row
from ladder.services.ladders import plan_ladder

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Plan:
    """A file that may be imported. ``ladder`` is not saved yet where there is none of that slug.

    ``rows`` are the matches to add, in playing order. ``self_matches`` are refused: nobody plays against himself.
    """

    ladder: Ladder
    roster: Roster
    rows: list[Row]
    self_matches: list[Row]
    already_there: int


def check(path: Path, slug: str, *, rules: str | None = None, options: Mapping[str, int] | None = None) -> Plan:
    """Check a file for the ladder of that slug; ``rules`` and ``options`` as in
    :func:`ladder.services.ladders.plan_ladder`.

    Raises ``FileRefused`` naming every bad line and its reason, and what ``plan_ladder`` raises.
    """
    ladder = plan_ladder(slug, rules, options)
    try:
        file = path.read_bytes()
    except OSError as error:
        raise FileRefused(f"{path}: {error.strerror}") from error
    problems = Problems()
    rows = sheet.read(file, today=timezone.localdate(timezone=ZoneInfo(ladder.time_zone)), problems=problems)
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
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        known = known_matches(ladder, batch)
        for row in batch:
            if row.external_id not in known:
                new.append(row)
            elif not known[row.external_id].agrees_with(content_of(row, roster, ladder)):
                problems.add(row.line, contradiction(row))
    return new
