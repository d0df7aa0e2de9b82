from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common import charts as drawing
from common.commands import progress_bar
from matchmaking import charts as simulation_charts
from matchmaking.management.simulation_command import SimulationCommand, players, whole
from matchmaking.simulation.ladders import free_slug, own_ladder
from matchmaking.simulation.records import Record
from matchmaking.simulation.run import MOST_DAYS, Plan

SLUG = "simulation"
VISITS = 0.6


class Command(SimulationCommand):
    help = (
        "Simulate players with a hidden skill on a ladder of their own, in simulated time that ends now, and draw how "
        "fair the matches were and how well the ratings show the skill. Takes about three minutes without options."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--ladder", metavar="SLUG",
            help=f"an empty ladder or a new one; default: {SLUG}, or the next free of {SLUG}-2, {SLUG}-3 ...",
        )  # fmt: skip
        parser.add_argument("--players", **players(200))
        parser.add_argument("--days", type=whole(1, MOST_DAYS), default=45, metavar="N", help="default: 45")
        parser.add_argument(
            "--out", type=Path, default=Path("simulation"), metavar="DIR", help="for the charts; default: simulation"
        )
        parser.add_argument("--no-charts", action="store_true", help="draw nothing")

    def handle(
        self, *, ladder: str | None, players: int, days: int, seed: int, out: Path, no_charts: bool, **_: Any
    ) -> None:
        if not no_charts:
            drawing.library()
        own = own_ladder(ladder or free_slug(SLUG))
        if not no_charts:
            _check_folder(out)
        record = self.simulate(own, Plan(players=players, days=days, visits=VISITS, seed=seed))
        for line in summary(record):
            self.stdout.write(line)
        if not no_charts:
            self._draw(record, out)

    def _draw(self, record: Record, out: Path) -> None:
        charts = simulation_charts.charts(record)
        try:
            with progress_bar(2 * len(charts), " charts") as bar:
                for name, chart in charts.items():
                    for suffix in (".png", ".html"):
                        drawing.save(chart, out / f"{name}{suffix}", title=simulation_charts.TITLES[name])
                        bar.update()
        except OSError as error:
            raise CommandError(f"--out {out}: {error.strerror}") from error
        self.stdout.write(f"{out}: {', '.join(charts)} (.png and .html)")


def _check_folder(out: Path) -> None:
    """Create the folder and check that files can be written there, before the simulation starts."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=out):
            pass
    except FileExistsError as error:
        raise CommandError(f"--out {out}: Not a directory") from error
    except OSError as error:
        raise CommandError(f"--out {out}: {error.strerror}") from error


def summary(record: Record) -> list[str]:
    """The results as text."""
    lines = [f"{len(record.people)} players, {len(record.games)} ranked matches"]
    if record.games:
        waits = [seconds for game in record.games for seconds in game.waited]
        unfair = 100 * median(game.unfairness for game in record.games)
        lines.append(f"median wait {median(waits):.0f} s, median distance from an even match {unfair:.1f} %")
    offers = ", ".join(f"{number} {outcome}" for outcome, number in sorted(record.offers.items())) or "none"
    lines.append(f"offers: {offers}; {record.gave_up} gave up waiting; decay charged {record.charged} times")
    return lines
