"""The base of the commands ``simulate`` and ``demo``."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common.commands import OperatorCommand, progress_bar
from ladder.models import Ladder
from ladder.services.ladders import ensure_ladder
from matchmaking.simulation import run
from matchmaking.simulation.records import Record
from matchmaking.simulation.run import Plan

INTERRUPTED = 130  # the exit code of shells after Ctrl-C


class SimulationCommand(OperatorCommand):
    """Runs a simulation. If it is stopped, a message says how many days were saved."""

    stopped = "Stopped: nothing was written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seed", type=int, default=1, metavar="N",
            help="the same seed gives the same simulation, except for the last day, which ends now; default: 1",
        )  # fmt: skip

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except KeyboardInterrupt:
            raise CommandError(self.stopped, returncode=INTERRUPTED) from None

    def simulate(self, ladder: Ladder, plan: Plan) -> Record:
        """Run the simulation on this ladder, which is created if it is not saved."""
        if ladder._state.adding:
            ladder = ensure_ladder(ladder.slug)
            self.stdout.write(f"The ladder {ladder.slug!r} was created.")
        done = 0
        with progress_bar(plan.days, " days") as bar:

            def progress(days: int) -> None:
                nonlocal done
                done += days
                self._set_message(ladder, done, plan)
                bar.update(days)

            self._set_message(ladder, done, plan)
            return run.simulate(ladder, plan, progress=progress)

    def _set_message(self, ladder: Ladder, done: int, plan: Plan) -> None:
        self.stopped = f"Stopped: {done} of {plan.days} days were simulated and remain on the ladder {ladder.slug!r}."


def whole(least: int, most: int) -> Callable[[str], int]:
    """The type of an option with a whole number from ``least`` to ``most``."""

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
    """The arguments for the option ``--players``."""
    return {
        "type": whole(run.FEWEST_PLAYERS, run.MOST_PLAYERS), "default": default, "metavar": "N",
        "help": f"default: {default}",
    }  # fmt: skip
