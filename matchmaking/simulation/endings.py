"""How matches end: with reports of players or the server, with rulings, or without an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from accounts.models import User
from ladder.models import Match
from ladder.rules.match_life import Ending, Seat
from ladder.rules.ranked import Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import reporting, rulings


@dataclass(frozen=True, slots=True)
class Board:
    """A match and its random result."""

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
    """The winner reports, and the loser does not answer. The match stays open until the deadline."""
    reporting.report(board.match.pk, board.winner, winner=board.winner.username, loser_score=board.loser_score)


def claim_and_confirm(board: Board) -> None:
    claim(board)
    reporting.confirm(board.match.pk, board.loser)


def claim_and_dispute(board: Board) -> None:
    """The match stays open until a moderator rules."""
    claim(board)
    board.match.refresh_from_db()
    dispute(board.match)


def dispute(match: Match) -> None:
    """The player who has not claimed the win disputes the report."""
    loser = match.player_two if match.one_reported_winner else match.player_one
    reporting.dispute(match.pk, loser, text="The clock ran out on the other side.")


def server_reports(board: Board) -> None:
    reporting.server_result(board.match.pk, winner=board.winner.username, loser_score=board.loser_score)


def server_reports_nobody_moved(board: Board) -> None:
    reporting.server_void(board.match.pk, reason=Unrated.NOBODY_MOVED)


def both_claim_and_a_moderator_rules(board: Board) -> None:
    claim(board)
    reporting.report(board.match.pk, board.loser, winner=board.loser.username)
    rulings.rule_match(
        board.match.pk,
        actor=board.moderator,
        winner=board.winner_seat,
        reason_code=ReasonCode.EVIDENCE,
        reason="The recording shows who won.",
    )


def dispute_ends_void(board: Board) -> None:
    claim(board)
    reporting.dispute(board.match.pk, board.loser, text="We never finished this match.")
    rulings.rule_match(
        board.match.pk,
        actor=board.moderator,
        winner=None,
        reason_code=ReasonCode.NOT_PLAYED,
        reason="Nobody can show how it ended.",
    )


def settled_and_voided(board: Board) -> None:
    server_reports(board)
    rulings.overturn_match(
        board.match.pk,
        actor=board.moderator,
        winner=None,
        reason_code=ReasonCode.TECHNICAL,
        reason="The server had mixed up two boards.",
    )


MatchEnding = Callable[[Board], None]
# The usual endings, and how often they happen in a thousand matches.
USUAL: dict[MatchEnding, int] = {
    server_reports: 500,
    concede: 200,
    claim_and_confirm: 210,
    resign: 40,
    both_claim_and_a_moderator_rules: 12,
    server_reports_nobody_moved: 12,
    claim: 10,
    dispute_ends_void: 8,
    settled_and_voided: 8,
}
# For the last matches, which stay open.
STILL_OPEN: dict[MatchEnding, int] = {claim: 1, claim_and_dispute: 1}


def choose(weights: dict[MatchEnding, int], rng: Random) -> MatchEnding:
    (ending,) = rng.choices(list(weights), weights=list(weights.values()))
    return ending
