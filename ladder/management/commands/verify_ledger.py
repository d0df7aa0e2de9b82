from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import OperatorCommand, progress_bar
from ladder.queries.ladders import find_ladder
from ladder.services.verification import Drift, verify

TOLD = 50


class Command(OperatorCommand):
    help = "Recompute every standing from the ledger and every ledger entry from its match; exit 1 if anything drifts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="default: all")

    def handle(self, *, ladder: str | None, **_: Any) -> None:
        told: list[Drift] = []

        def found(drift: Drift) -> None:
            if len(told) < TOLD:
                told.append(drift)

        with progress_bar(0, " checks") as bar:
            checked = verify(
                find_ladder(ladder) if ladder else None, found=found, expect=bar.reset, progress=bar.update
            )
        for drift in told:
            self.stderr.write(f"{drift.where}: {drift.what}")
        if checked.drifts > len(told):
            self.stderr.write(f"and {checked.drifts - len(told)} more")
        counts = f"{checked.standings} standings and {checked.matches} matches"
        if checked.drifts:
            raise CommandError(f"{checked.drifts} drifts in {counts}")
        self.stdout.write(f"{counts} agree with the ledger")
