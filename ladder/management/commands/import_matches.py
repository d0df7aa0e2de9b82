from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import CommandParser

from common.commands import OperatorCommand, progress_bar
from ladder.rules import rule_sets
from ladder.services import importing


class Command(OperatorCommand):
    help = (
        "Import matches from a CSV file in UTF-8, and settle them in the order of the rows. "
        f"Columns: {','.join(importing.COLUMNS)}, and optionally {','.join(importing.OPTIONAL_COLUMNS)}. "
        "The whole file is checked before anything is written. "
        "Existing matches do not change, so an interrupted import can be started again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--ladder", required=True, metavar="SLUG", help="created if it does not exist")
        parser.add_argument("--rules", metavar="NAME", help=f"rule set of a new ladder: {', '.join(rule_sets.NAMES)}")

        parser.add_argument(
            "--option", metavar="NAME=NUMBER", action="append", default=[], type=_option,
            help="an option of the rule set of a new ladder, such as k=24; can be repeated",
        )  # fmt: skip

    def handle(self, *, file: Path, ladder: str, rules: str | None, option: list[tuple[str, int]], **_: Any) -> None:
        started = monotonic()
        plan = importing.check(file, ladder, rules=rules, options=dict(option))
        for row in plan.self_matches:
            self.stderr.write(
                f"line {row.line}: refused: {row.winner} cannot play against themselves (id {row.external_id})"
            )
        with progress_bar(len(plan.rows), " matches") as bar:
            report = importing.run(plan, progress=bar.update)
        if not report.imported:
            self.stdout.write("Nothing new in this file.")
        self.stdout.write(
            f"imported {report.imported}, already there {report.already_there}, refused {report.refused}, "
            f"players created {report.players_created}, {monotonic() - started:.1f} seconds"
        )


def _option(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not number.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not NAME=NUMBER")
    return name, int(number)
