"""How matches end: by players' words, servers' reports, moderators' rulings, and by silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from accounts.models import User
from ladder.models import Match
from ladder.rules.match_life import Ending, Seat
from ladder.rules.ranked import Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import reporting
from ladder.services.matches import rulings as moderation


@dataclass(frozen=True, slots=True)
class Board:
    """A match under way, with the winner that skill and luck have chosen."""

    match: Match
    winner: User
    loser: User
    loser_score: int
    moderator: User

    @property
    def winner_seat(self) -> Seat:
        return 1 if self.winner.pk == self.match.player_one_id else 2


def concede(board: Board) -> None:
    reporting.report(board.match.pk, board.loser, winner=board.winner.username, loser_score=board.loser_score)


def resign(board: Board) -> None:
    reporting.report(board.match.pk, board.loser, winner=board.winner.username, ending=Ending.RESIGNED)


def claim(board: Board) -> None:
    """The winner reports, and the loser says nothing: it stays open until the deadline."""
    reporting.report(board.match.pk, board.winner, winner=board.winner.username, loser_score=board.loser_score)


def claim_and_confirm(board: Board) -> None:
    claim(board)
    reporting.confirm(board.match.pk, board.loser)


def claim_and_dispute(board: Board) -> None:
    """It stays open until a moderator rules."""
    claim(board)
    board.match.refresh_from_db()
    dispute(board.match)


def dispute(match: Match) -> None:
    """Whoever has not claimed the win says that it was another way."""
    loser = match.player_two if match.one_says else match.player_one
    reporting.dispute(match.pk, loser, text="The clock ran out on the other side.")


def server_reports(board: Board) -> None:
    reporting.server_result(board.match.pk, winner=board.winner.username, loser_score=board.loser_score)


def server_saw_nobody_move(board: Board) -> None:
    reporting.server_void(board.match.pk, reason=Unrated.NOBODY_MOVED)


def both_claim_and_a_moderator_rules(board: Board) -> None:
    claim(board)
    reporting.report(board.match.pk, board.loser, winner=board.loser.username)
    moderation.rule_match(
        board.match.pk,
        actor=board.moderator,
        winner=board.winner_seat,
        reason_code=ReasonCode.EVIDENCE,
        reason="The recording shows who won.",
    )


def dispute_ends_void(board: Board) -> None:
    claim(board)
    reporting.dispute(board.match.pk, board.loser, text="We never finished this match.")
    moderation.rule_match(
        board.match.pk,
        actor=board.moderator,
        winner=None,
        reason_code=ReasonCode.NOT_PLAYED,
        reason="Nobody can show how it ended.",
    )


def settled_and_voided(board: Board) -> None:
    server_reports(board)
    moderation.overturn_match(
        board.match.pk,
        actor=board.moderator,
        winner=None,
        reason_code=ReasonCode.TECHNICAL,
        reason="The server had mixed up two boards.",
    )


Story = Callable[[Board], None]
# How matches end, and how often in a thousand.
USUAL: dict[Story, int] = {
    server_reports: 500,
    concede: 200,
    claim_and_confirm: 210,
    resign: 40,
    both_claim_and_a_moderator_rules: 12,
    server_saw_nobody_move: 12,
    claim: 10,
    dispute_ends_void: 8,
    settled_and_voided: 8,
}
# Of the last matches, for moderators and players to find work.
STILL_OPEN: dict[Story, int] = {claim: 1, claim_and_dispute: 1}


def choose(stories: dict[Story, int], rng: Random) -> Story:
    (story,) = rng.choices(list(stories), weights=list(stories.values()))
    return story
