"""The possible outcomes of a match."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.rules.match_life import Seat
from ladder.rules.rule_sets import RuleSet
from ladder.rules.systems.system import Change, Match, Player, Score


@dataclass(frozen=True, slots=True)
class Outcome:
    """The rating changes if ``winner`` wins; ``None``: a draw.

    ``winner_probability`` (0 to 1) is ``None`` for a draw, and if the rating system has no win probability.
    """

    winner: Seat | None
    winner_probability: float | None
    one: Change
    two: Change

    @property
    def score(self) -> Score:
        """The score of the first player."""
        return {1: Score.WIN, 2: Score.LOSS, None: Score.DRAW}[self.winner]


def outcomes(rules: RuleSet, one: Player, two: Player, match_length: int) -> list[Outcome]:
    """The outcomes if the first player wins, if the second one wins, and, if the system has draws, of a draw."""
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
