"""Both outcomes of a match that nobody has played."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import User
from ladder.models import Ladder, Standing
from ladder.rules.match_life import Seat
from ladder.rules.types import Change, Player


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens if ``winner`` wins. ``winner_probability`` (0 to 1) is that player's chance to."""

    winner: Seat
    winner_probability: float
    one: Change
    two: Change


def outcomes(ladder: Ladder, one: Player, two: Player, match_length: int) -> list[Outcome]:
    system = ladder.rules.system
    first, second = system.settle(one, two, match_length), system.settle(two, one, match_length)
    return [
        Outcome(1, first.winner_probability, one=first.winner, two=first.loser),
        Outcome(2, second.winner_probability, one=second.loser, two=second.winner),
    ]


def as_they_stand(ladder: Ladder, accounts: list[User]) -> dict[int, Player]:
    """How each account stands on the ladder now, by its id; whoever has not played stands where everyone starts."""
    found = Standing.objects.filter(ladder=ladder, player__in=accounts)
    standing = {row.player_id: Player(row.rating, row.experience) for row in found}
    return {account.pk: standing.get(account.pk, Player(ladder.rules.start, 0)) for account in accounts}
