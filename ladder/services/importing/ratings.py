"""Importing ratings from a CSV file, such as one of ``export_standings``."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from django.db import transaction

from accounts.usernames import check_username, normal_form
from ladder.limits import MAX_EXPERIENCE
from ladder.services.importing.csv_file import FileRefused, Problems
from ladder.services.importing.players import create_missing, look_up
from ladder.services.ladders import ensure_ladder
from ladder.services.ledger.adjusting import import_rating
from ladder.services.ledger.locking import lock_standings
from ladder.services.matches.offers import ensure_standings

COLUMNS = ("player", "rating", "experience")


class RatingRow(NamedTuple):
    """One player of the file."""

    line: int
    player: str
    rating: Decimal
    experience: int


def run(path: Path, slug: str, *, rules: str | None = None) -> int:
    """Import the rating and experience of each player of the file, in one transaction. Returns their number.

    Raises ``FileRefused`` with the bad lines and their reasons, ``Conflict`` for a player who has ledger entries on the
    ladder, and the errors of ``ensure_ladder``.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileRefused(f"{path}: {error}") from error
    problems = Problems()
    rows = list(_rows(text, problems))
    roster = look_up({row.player for row in rows})
    first: dict[str, int] = {}
    for row in rows:
        if first.setdefault(roster.keys[row.player], row.line) != row.line:
            problems.add(row.line, f"{row.player} is already in line {first[roster.keys[row.player]]}")
    problems.refuse_if_any()
    with transaction.atomic():
        ladder = ensure_ladder(slug, rules=rules)
        create_missing(roster, [row.player for row in rows])
        players = [roster[row.player] for row in rows]
        ensure_standings(ladder, players)
        lock_standings([ladder.pk], players)  # all at once, so that they are locked in the order of their ids
        for row in rows:
            import_rating(
                ladder, roster[row.player], rating=row.rating, experience=row.experience, reason=f"from {path.name}"
            )
    return len(rows)


def _rows(text: str, problems: Problems) -> Iterator[RatingRow]:
    reader = csv.DictReader(text.splitlines(), strict=True)
    if missing := [name for name in COLUMNS if name not in (reader.fieldnames or ())]:
        problems.add(1, f"no column {', '.join(missing)}; the columns are {','.join(COLUMNS)}")
        return
    for line, fields in enumerate(reader, start=2):
        try:
            yield _row(line, {name: (fields[name] or "").strip() for name in COLUMNS})
        except ValueError as error:
            problems.add(line, str(error))


def _row(line: int, fields: dict[str, str]) -> RatingRow:
    player = normal_form(fields["player"])
    check_username(player)
    try:
        rating = Decimal(fields["rating"])
    except InvalidOperation:
        raise ValueError(f"rating {fields['rating']!r} is not a number") from None
    if not fields["experience"].isdecimal() or int(fields["experience"]) > MAX_EXPERIENCE:
        raise ValueError(f"experience {fields['experience']!r} is not a whole number of match points")
    return RatingRow(line, player, rating, int(fields["experience"]))
