"""All outcomes of a match that nobody has played."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.rules.match_life import Seat
from ladder.rules.rule_sets import RuleSet
from ladder.rules.systems.system import Change, Match, Player, Score


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens if ``winner`` wins; ``None``: a draw, where the rating system knows draws.

    ``winner_probability`` (0 to 1) is that player's chance to, where the system has such a number.
    """

    winner: Seat | None
    winner_probability: float | None
    one: Change
    two: Change

    @property
    def score(self) -> Score:
        """What the first player makes of the match."""
        return {1: Score.WIN, 2: Score.LOSS, None: Score.DRAW}[self.winner]


def outcomes(rules: RuleSet, one: Player, two: Player, match_length: int) -> list[Outcome]:
    """First the first player wins, then the second, then, where there are draws, nobody."""
    system, match = rules.system, Match(match_length)
    found = []
    winners: tuple[Seat | None, ...] = (1, 2, None) if system.has_draws else (1, 2)
    for winner in winners:
        score = {1: Score.WIN, 2: Score.LOSS, None: Score.DRAW}[winner]
        first, second = system.settle(one, two, score, match)
        pair = (one, two) if winner == 1 else (two, one)
        chance = system.win_probability(pair[0].rating, pair[1].rating, match_length) if winner else None
        found.append(Outcome(winner, chance, first, second))
    return found
