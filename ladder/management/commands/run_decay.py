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
from ladder.services.decay import Night


class Command(OperatorCommand):
    help = (
        "Work off, in order, the days of decay that are due, as the nightly job does. It may run beside the job, and "
        "again: a standing is charged at most once for each day."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", metavar="SLUG", help="default: all")
        parser.add_argument("--date", type=day, metavar="YYYY-MM-DD", help="the last day to work off; default: today")
        parser.add_argument("--dry-run", action="store_true", help="print who would lose what, and change nothing")

    def handle(self, *, ladder: str | None, date: date | None, dry_run: bool, **_: Any) -> None:
        chosen = [find_ladder(ladder)] if ladder else list(Ladder.objects.order_by("slug"))
        decaying = [each for each in chosen if decay.decays(each)]
        # All of them before anything is charged on the first.
        for each in decaying:
            check(each, date)
        for each in decaying:
            due = self._preview(each, date) if dry_run else self._run(each, date)
            if not due:
                self.stdout.write(f"{each.slug}: no day is due")
        if not decaying:
            self.stdout.write("There is no ladder by whose rules ratings decay.")

    def _run(self, ladder: Ladder, through: date | None) -> int:
        """Work it off; how many days that were."""
        with progress_bar(0, " standings") as bar, logging_redirect_tqdm():

            def charged(day: date, count: int) -> None:
                bar.set_description(f"{ladder.slug} {day}")
                bar.update(count)

            try:
                runs = decay.bring_up_to_date(ladder, through=through, progress=charged)
            except decay.Busy as busy:
                # No failure: whoever is at it works off the same days.
                self.stdout.write(f"{ladder.slug}: {busy.detail}")
                return 1
        for run in runs:
            charge = f"{run.points} points from {standings(run.standings)}"
            self.stdout.write(f"{ladder.slug} {run.day}: {run.get_state_display()}, {charge}")
        return len(runs)

    def _preview(self, ladder: Ladder, through: date | None) -> int:
        """Print it; how many days that were."""
        nights = 0
        if decay.owes(ladder):
            self.stdout.write(
                f"{ladder.slug}: a pause or a reverted run still gives back what it owes before these nights,"
                " which are worked out without it"
            )
        for night in decay.preview(ladder, through=through):
            nights += 1
            self.stdout.write(f"{ladder.slug} {night.day}: {charge_of(night)}")
            for loss in night.losses:
                self.stdout.write(
                    f"  {loss.username}: {loss.rating} - {loss.step:.2f} = {loss.rating - loss.step}"
                    f" (last ranked match {loss.idle_since})"
                )
        return nights


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


def charge_of(night: Night) -> str:
    if night.paused:
        return "spared by a pause"
    total = sum(loss.step for loss in night.losses)
    return f"would take {total:.2f} points from {standings(len(night.losses))}"


def standings(number: int) -> str:
    return f"{number} standing{'' if number == 1 else 's'}"
