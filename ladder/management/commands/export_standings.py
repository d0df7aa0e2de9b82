from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import OperatorCommand
from ladder.queries.exports import COLUMNS, export_standings
from ladder.queries.ladders import find_ladder


class Command(OperatorCommand):
    help = f"Write the standings of a ladder as CSV: {','.join(COLUMNS)}, one line for each player with a ranked match."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", required=True, metavar="SLUG")
        parser.add_argument("--output", type=Path, metavar="FILE", help="instead of standard output")

    def handle(self, *, ladder: str, output: Path | None, **_: Any) -> None:
        found = find_ladder(ladder)
        if output is None:
            export_standings(found, self.stdout)
            return
        try:
            with output.open("w", encoding="utf-8", newline="") as file:
                count = export_standings(found, file)
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from error
        self.stderr.write(f"{count} standings written to {output}")
