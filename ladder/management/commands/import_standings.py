from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from common.commands import OperatorCommand
from ladder.rules import rule_sets
from ladder.services.importing import ratings


class Command(OperatorCommand):
    help = (
        "Import the first rating and experience of players on a ladder from a CSV file in UTF-8. "
        f"Columns: {','.join(ratings.COLUMNS)}; other columns are ignored, so files of export_standings can be used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--ladder", required=True, metavar="SLUG", help="created if it does not exist")
        parser.add_argument("--rules", metavar="NAME", help=f"rule set of a new ladder: {', '.join(rule_sets.NAMES)}")

    def handle(self, *, file: Path, ladder: str, rules: str | None, **_: Any) -> None:
        count = ratings.run(file, ladder, rules=rules)
        self.stdout.write(f"{count} players begin with the rating that they bring")
