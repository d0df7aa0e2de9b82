from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.queries.players import find_player
from common.commands import OperatorCommand
from ladder.queries.ladders import find_ladder
from ladder.services.ladders import DEFAULT_SLUG
from ladder.services.matches.offers import pair


class Command(OperatorCommand):
    help = "Offer a ranked match to two players, like matchmaking does, and print its id. Both have to accept it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("one", metavar="ONE", help="a username")
        parser.add_argument("two", metavar="TWO", help="another username")
        parser.add_argument("--ladder", default=DEFAULT_SLUG, metavar="SLUG")
        parser.add_argument("--length", type=int, default=5, metavar="POINTS")

    def handle(self, *, one: str, two: str, ladder: str, length: int, **_: Any) -> None:
        match = pair(find_ladder(ladder), find_player(one), find_player(two), match_length=length)
        self.stdout.write(str(match.pk))
