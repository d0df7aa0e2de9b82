from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.ladders import DEFAULT_SLUG
from matchmaking.management.simulation_command import SimulationCommand, players
from matchmaking.simulation import population
from matchmaking.simulation.ladders import own_ladder
from matchmaking.simulation.records import Record
from matchmaking.simulation.run import Plan

DAYS, VISITS = 42, 0.25


class Command(SimulationCommand):
    help = (
        "Fill an empty ladder with players who have played for six weeks, with disputes and decay, and create a "
        "moderator who can rule the open disputes. Takes about half a minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--ladder", default=DEFAULT_SLUG, metavar="SLUG",
            help=f"an empty ladder or a new one; default: {DEFAULT_SLUG}",
        )  # fmt: skip
        parser.add_argument("--players", **players(60))

    def disputes(self, record: Record) -> str:
        disputes = Match.objects.filter(ladder=record.ladder, state=State.DISPUTED).count()
        return f"{disputes} dispute{'s wait' if disputes != 1 else ' waits'} for a moderator"

    def handle(self, *, ladder: str, players: int, seed: int, **_: Any) -> None:
        plan = Plan(players=players, days=DAYS, visits=VISITS, stem="demo", seed=seed)
        record = self.simulate(own_ladder(ladder), plan)
        password = population.let_sign_in(record.moderator)
        self.stdout.write(
            f"{players} players have played {len(record.games)} ranked matches on the ladder {ladder!r}, "
            f"and decay has charged {record.charged} times.\n"
            f"{self.disputes(record)}: sign in to /admin/ as user "
            f"{record.moderator.username}, password {password} (shown this once)."
        )
