from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from django.core.management.base import CommandError, CommandParser

from ladder.charts import drawing
from ladder.management.base import OperatorCommand, progress_bar
from ladder.services.ladders import DEFAULT_SLUG, ensure_ladder, find_ladder
from matchmaking.charts import simulation as pictures
from matchmaking.simulation.records import Record
from matchmaking.simulation.story import Plan, tell

VISITS = 0.6


class Command(OperatorCommand):
    help = (
        "Let a population with hidden skill queue, play, report and rest on a ladder, in simulated time that ends now, "
        "and draw how fair its matches were and what its ratings are worth."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", default=DEFAULT_SLUG, metavar="SLUG")
        parser.add_argument("--players", type=int, default=200, metavar="N")
        parser.add_argument("--days", type=int, default=45, metavar="N")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed tells the same story")
        parser.add_argument("--out", type=Path, default=Path("simulation"), metavar="DIR", help="for the drawings")
        parser.add_argument("--force", action="store_true", help="also on a ladder that has matches already")
        parser.add_argument("--no-charts", action="store_true", help="draw nothing")

    def handle(
        self, *, ladder: str, players: int, days: int, seed: int, out: Path, force: bool, no_charts: bool, **_: Any
    ) -> None:
        plan = Plan(players=players, days=days, visits=VISITS, seed=seed)
        with progress_bar(days, " days") as bar:
            record = tell(ensure_ladder(ladder), plan, force=force, progress=bar.update)
        for line in summary(record):
            self.stdout.write(line)
        if not no_charts:
            self._draw(ladder, record, out)

    def _draw(self, slug: str, record: Record, out: Path) -> None:
        try:
            charts = pictures.charts(find_ladder(slug), record)
        except drawing.CannotDraw as missing:
            self.stdout.write(missing.detail)
            return
        try:
            out.mkdir(parents=True, exist_ok=True)
            with progress_bar(2 * len(charts), " drawings") as bar:
                for name, chart in charts.items():
                    for suffix in (".png", ".html"):
                        drawing.save(chart, out / f"{name}{suffix}")
                        bar.update()
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}") from error
        self.stdout.write(f"{out}: {', '.join(charts)} (.png and .html)")


def summary(record: Record) -> list[str]:
    """What came of it, in words."""
    lines = [f"{len(record.people)} players, {len(record.games)} ranked matches"]
    if record.games:
        waits = [seconds for game in record.games for seconds in game.waited]
        unfair = 100 * median(game.unfairness for game in record.games)
        lines.append(f"median wait {median(waits):.0f} s, median distance from an even match {unfair:.1f} %")
    offers = ", ".join(f"{number} {outcome}" for outcome, number in sorted(record.offers.items())) or "none"
    lines.append(f"offers: {offers}; {record.gave_up} gave up waiting; decay charged {record.charged} times")
    return lines
