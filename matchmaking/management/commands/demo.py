from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from ladder.management.base import OperatorCommand, progress_bar
from ladder.services.ladders import DEFAULT_SLUG, ensure_ladder
from matchmaking.simulation.story import Plan, tell

DAYS, VISITS = 42, 0.2


class Command(OperatorCommand):
    help = "Fill a ladder with a demo population that has queued and played for some weeks, disputes included."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", default=DEFAULT_SLUG, metavar="SLUG")
        parser.add_argument("--players", type=int, default=60, metavar="N")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed tells the same story")
        parser.add_argument("--force", action="store_true", help="also on a ladder that has matches already")

    def handle(self, *, ladder: str, players: int, seed: int, force: bool, **_: Any) -> None:
        plan = Plan(players=players, days=DAYS, visits=VISITS, seed=seed)
        with progress_bar(DAYS, " days") as bar:
            record = tell(ensure_ladder(ladder), plan, force=force, progress=bar.update)
        self.stdout.write(f"{players} players have played {len(record.games)} ranked matches on the ladder {ladder!r}.")
