from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm.contrib.logging import logging_redirect_tqdm

from common.commands import OperatorCommand, progress_bar
from common.errors import Invalid
from ladder.models import Ladder
from ladder.queries.ladders import find_ladder
from ladder.services import decay
from ladder.services.decay import PreviewDay


class Command(OperatorCommand):
    help = (
        "Run the days of decay that are due, in order, like the nightly job. Can be run at any time and repeatedly: "
        "a standing has at most one decay entry for each day."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="default: all")
        parser.add_argument("--date", type=day, metavar="YYYY-MM-DD", help="the last day to run; default: today")
        parser.add_argument(
            "--dry-run", action="store_true", help="print the points that each player would lose, and change nothing"
        )

    def handle(self, *, ladder: str | None, date: date | None, dry_run: bool, **_: Any) -> None:
        chosen = [find_ladder(ladder)] if ladder else list(Ladder.objects.order_by("slug"))
        decaying = [each for each in chosen if decay.has_decay(each)]
        # All ladders are checked before the first one is changed.
        for each in decaying:
            check(each, date)
        for each in decaying:
            due = self._preview(each, date) if dry_run else self._run(each, date)
            if not due:
                self.stdout.write(f"{each.slug}: no day is due")
        if not decaying:
            self.stdout.write("No ladder has rules with decay.")

    def _run(self, ladder: Ladder, through: date | None) -> int:
        """Run the days that are due. Returns their number."""
        with progress_bar(0, " standings") as bar, logging_redirect_tqdm():

            def charged(day: date, count: int) -> None:
                bar.set_description(f"{ladder.slug} {day}")
                bar.update(count)

            try:
                runs = decay.bring_up_to_date(ladder, through=through, progress=charged)
            except decay.DecayRunning as busy:
                # Not an error: the other worker runs the same days.
                self.stdout.write(f"{ladder.slug}: {busy.detail}")
                return 1
        for run in runs:
            charge = f"{run.points} points from {standings(run.standings)}"
            self.stdout.write(f"{ladder.slug} {run.day}: {run.get_state_display()}, {charge}")
        return len(runs)

    def _preview(self, ladder: Ladder, through: date | None) -> int:
        """Print the days that are due. Returns their number."""
        days = 0
        if decay.has_open_reversals(ladder):
            self.stdout.write(
                f"{ladder.slug}: a pause or a reversed run still has decay to reverse, before these days are run;"
                " the preview does not include that"
            )
        for preview in decay.preview(ladder, through=through):
            days += 1
            self.stdout.write(f"{ladder.slug} {preview.day}: {summary(preview)}")
            for loss in preview.losses:
                self.stdout.write(
                    f"  {loss.username}: {loss.rating} - {loss.step:.2f} = {loss.rating - loss.step}"
                    f" (last ranked match {loss.idle_since})"
                )
        return days


def day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a day: give it as YYYY-MM-DD") from None


def check(ladder: Ladder, through: date | None) -> None:
    try:
        decay.check_day(ladder, through)
    except Invalid as refusal:
        raise CommandError(f"{ladder.slug}: {refusal.detail}") from refusal


def summary(preview: PreviewDay) -> str:
    if preview.paused:
        return "skipped: decay pause"
    total = sum(loss.step for loss in preview.losses)
    return f"would take {total:.2f} points from {standings(len(preview.losses))}"


def standings(number: int) -> str:
    return f"{number} standing{'' if number == 1 else 's'}"
