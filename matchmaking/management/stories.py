"""What the commands that tell a story share."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import OperatorCommand, progress_bar
from ladder.models import Ladder
from ladder.services.ladders import ensure_ladder
from matchmaking.simulation import story
from matchmaking.simulation.records import Record
from matchmaking.simulation.story import Plan

INTERRUPTED = 130  # as shells say it of whoever was stopped by Ctrl-C


class StoryCommand(OperatorCommand):
    """Tells a story; whoever stops it on the way hears what of it stays."""

    stopped = "Stopped: nothing was written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seed", type=int, default=1, metavar="N",
            help="the same seed tells the same story, but for its last day, which ends now; default: 1",
        )  # fmt: skip

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except KeyboardInterrupt:
            raise CommandError(self.stopped, returncode=INTERRUPTED) from None

    def tell(self, ladder: Ladder, plan: Plan) -> Record:
        """Tell the story on this ladder, which is made where it is only planned."""
        if ladder._state.adding:
            ladder = ensure_ladder(ladder.slug)
            self.stdout.write(f"The ladder {ladder.slug!r} is made.")
        told = 0
        with progress_bar(plan.days, " days") as bar:

            def progress(days: int) -> None:
                nonlocal told
                told += days
                self._stays(ladder, told, plan)
                bar.update(days)

            self._stays(ladder, told, plan)
            return story.tell(ladder, plan, progress=progress)

    def _stays(self, ladder: Ladder, told: int, plan: Plan) -> None:
        self.stopped = f"Stopped: {told} of {plan.days} days are told, and stay on the ladder {ladder.slug!r}."


def whole(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number from ``least`` to ``most``."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return number

    return convert


def players(default: int) -> dict[str, Any]:
    """How the option ``--players`` is to be added."""
    return {
        "type": whole(story.FEWEST_PLAYERS, story.MOST_PLAYERS), "default": default, "metavar": "N",
        "help": f"default: {default}",
    }  # fmt: skip
