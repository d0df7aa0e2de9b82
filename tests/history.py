"""Import files for tests, and the rows that an import writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random

from ladder.models import RatingEntry, Standing
from ladder.services import importing
from ladder.services.importing import Report

Result = tuple[str, str, int]
STANDING = ("rating", "experience", "wins", "losses", "peak_rating", "streak", "last_ranked_at", "last_sequence")


def write_matches(path: Path, results: Sequence[Result], *, first_day: date = date(2026, 1, 1)) -> Path:
    """A file of (winner, loser, match length), one match a day, ids from 1."""
    lines = [
        f"{number},{first_day + timedelta(days=number - 1)},{winner},{loser},{length}"
        for number, (winner, loser, length) in enumerate(results, start=1)
    ]
    path.write_text("\n".join(["id,played_on,winner,loser,match_length", *lines, ""]), encoding="utf-8")
    return path


def some_results(number: int, players: int = 12, seed: int = 7) -> list[Result]:
    """Results among a few players; the same ones for the same seed."""
    rng = Random(seed)
    names = [f"player{n:02}" for n in range(1, players + 1)]
    results = []
    for _ in range(number):
        winner, loser = rng.sample(names, 2)
        results.append((winner, loser, rng.choice([1, 3, 5, 7, 99])))
    return results


def import_file(path: Path, slug: str = "club", rules: str | None = None) -> Report:
    """Check and import a file."""
    return importing.run(importing.check(path, slug, rules=rules))


def standings_of(slug: str = "club") -> dict[str, list[object]]:
    """Every standing of the ladder, by player."""
    rows = Standing.objects.filter(ladder__slug=slug).values_list("player__username", *STANDING)
    return {name: facts for name, *facts in rows}


def entries_of(slug: str = "club") -> list[tuple[object, ...]]:
    """The values of all ledger entries, without ids and times."""
    fields = [
        f.attname for f in RatingEntry._meta.concrete_fields if f.name not in ("id", "match", "standing", "created_at")
    ]
    return list(
        RatingEntry.objects.filter(standing__ladder__slug=slug)
        .order_by("standing__player__username", "sequence")
        .values_list("standing__player__username", "match__match_length", *fields)
    )
