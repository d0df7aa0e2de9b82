from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from common.commands import OperatorCommand
from ladder.rules import rule_sets
from ladder.services.importing import ratings


class Command(OperatorCommand):
    help = (
        "Let players begin on a ladder with the rating and the experience that they have elsewhere, from a CSV file in "
        f"UTF-8. Columns: {','.join(ratings.COLUMNS)}; others, such as those of export_standings, are left alone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--ladder", required=True, metavar="SLUG", help="made if there is none of that slug")
        parser.add_argument("--rules", metavar="NAME", help=f"what a new ladder plays by: {', '.join(rule_sets.NAMES)}")

    def handle(self, *, file: Path, ladder: str, rules: str | None, **_: Any) -> None:
        count = ratings.run(file, ladder, rules=rules)
        self.stdout.write(f"{count} players begin with the rating that they bring")
