from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import OperatorCommand, progress_bar
from ladder.limits import MAX_PRINTED_PROBLEMS
from ladder.queries.ladders import find_ladder
from ladder.services.verification import Drift, verify


class Command(OperatorCommand):
    help = "Compute all standings from the ledger and all ledger entries from their matches; exit 1 if a value differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="default: all")

    def handle(self, *, ladder: str | None, **_: Any) -> None:
        printed: list[Drift] = []

        def found(drift: Drift) -> None:
            if len(printed) < MAX_PRINTED_PROBLEMS:
                printed.append(drift)

        with progress_bar(0, " checks") as bar:
            checked = verify(
                find_ladder(ladder) if ladder else None, found=found, expect=bar.reset, progress=bar.update
            )
        for drift in printed:
            self.stderr.write(f"{drift.where}: {drift.what}")
        if checked.drifts > len(printed):
            self.stderr.write(f"and {checked.drifts - len(printed)} more")
        counts = f"{checked.standings} standings and {checked.matches} matches"
        if checked.drifts:
            raise CommandError(f"{checked.drifts} drifts in {counts}")
        self.stdout.write(f"{counts} agree with the ledger")
