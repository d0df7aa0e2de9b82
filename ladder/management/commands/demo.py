from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from ladder.management.base import OperatorCommand, progress_bar
from ladder.services.demo import populate
from ladder.services.ladders import DEFAULT_SLUG, ensure_ladder


class Command(OperatorCommand):
    help = "Fill a ladder with a demo population that has played for some weeks, disputes and rulings included."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--ladder", default=DEFAULT_SLUG, metavar="SLUG")
        parser.add_argument("--players", type=int, default=60, metavar="N")
        parser.add_argument("--matches", type=int, default=600, metavar="N")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed tells the same story")
        parser.add_argument("--force", action="store_true", help="also on a ladder that has matches already")

    def handle(self, *, ladder: str, players: int, matches: int, seed: int, force: bool, **_: Any) -> None:
        with progress_bar(matches, " matches") as bar:
            populate(
                ensure_ladder(ladder), players=players, matches=matches, seed=seed, force=force, progress=bar.update
            )
        self.stdout.write(f"{players} players have played {matches} matches on the ladder {ladder!r}.")
