"""The states of a match, and how events such as a report or a deadline change them.

``offered -> in_progress -> awaiting_confirmation -> confirmed``; other states are ``disputed``, ``voided`` and
``cancelled``. Each function takes the match and one event, and returns what the caller must do, or raises
:class:`Refused`. An event that was processed before returns :attr:`Step.NOTHING`. An event that contradicts a finished
match is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Seat = Literal[1, 2]


class State(StrEnum):
    OFFERED = "offered"
    IN_PROGRESS = "in_progress"
    AWAITING_CONFIRMATION = "awaiting_confirmation"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    VOIDED = "voided"
    CANCELLED = "cancelled"


PLAYABLE = frozenset({State.IN_PROGRESS, State.AWAITING_CONFIRMATION, State.DISPUTED})
LIVE = PLAYABLE | {State.OFFERED}


class Ending(StrEnum):
    """How the match ended. All endings are rated in the same way."""

    PLAYED = "played"
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    ABANDONED = "abandoned"


class ConfirmedBy(StrEnum):
    """Who or what confirmed the result."""

    OPPONENT = "opponent"
    SERVER = "server"
    DEADLINE = "deadline"
    MODERATOR = "moderator"
    IMPORT = "import"


class Cancel(StrEnum):
    """Why an offer was cancelled.

    ``CALLED_OFF``: a player left the queue before seeing the offer, or the two may not play against each other any
    more.
    """

    DECLINED = "declined"
    OFFER_EXPIRED = "offer_expired"
    CALLED_OFF = "called_off"


class Step(StrEnum):
    """What the caller must do."""

    NOTHING = "nothing"
    ACCEPT = "accept"
    START = "start"
    AWAIT = "await"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    VOID = "void"
    CANCEL = "cancel"


class Refused(Exception):
    """The event is not possible in the match's state. ``code`` is part of the API and does not change."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Match:
    """The facts of a match that the rules need. ``claims`` are the reports so far, as (reporter, reported winner)."""

    state: State
    winner: Seat | None = None
    accepted: frozenset[Seat] = field(default=frozenset())
    claims: frozenset[tuple[Seat, Seat]] = field(default=frozenset())
    void_reason: str | None = None

    @property
    def claimant(self) -> Seat | None:
        """The player who reported the own win."""
        return next((seat for seat, winner in self.claims if seat == winner), None)


@dataclass(frozen=True, slots=True)
class Decision:
    """The step, and for :attr:`Step.CONFIRM` the winner."""

    step: Step
    winner: Seat | None = None


NOTHING = Decision(Step.NOTHING)


def other(seat: Seat) -> Seat:
    return 2 if seat == 1 else 1


def accept(match: Match, seat: Seat) -> Decision:
    """A player accepts the offer. The match starts when both have accepted."""
    if seat in match.accepted:
        return NOTHING if match.state in LIVE or match.state == State.CONFIRMED else _refuse(match)
    if match.state != State.OFFERED:
        return _refuse(match)
    return Decision(Step.START if other(seat) in match.accepted else Step.ACCEPT)


def decline(match: Match) -> Decision:
    """A player declines the offer. This is possible until the match starts, also after accepting."""
    if match.state == State.CANCELLED:
        return NOTHING
    return Decision(Step.CANCEL) if match.state == State.OFFERED else _refuse(match)


def report(match: Match, seat: Seat, winner: Seat) -> Decision:
    """A player reports the winner.

    A player who reports the opponent's win ends the match at once, also after claiming the win before. A claimed win
    waits for the opponent; if both players claim the win, the match is disputed.
    """
    if match.state == State.CONFIRMED and winner == match.winner:
        return NOTHING
    if match.state in (State.AWAITING_CONFIRMATION, State.DISPUTED, State.VOIDED) and (seat, winner) in match.claims:
        return NOTHING
    if match.state not in (State.IN_PROGRESS, State.AWAITING_CONFIRMATION):
        return _refuse(match)
    if winner != seat:
        return Decision(Step.CONFIRM, winner)
    return Decision(Step.AWAIT if match.claimant is None else Step.DISPUTE, winner)


def confirm(match: Match, seat: Seat) -> Decision:
    """A player confirms the result that the opponent reported."""
    if match.state == State.CONFIRMED:
        reported = {winner for reporter, winner in match.claims if reporter == other(seat)}
        return _refuse(match) if reported - {match.winner} else NOTHING
    if match.state == State.IN_PROGRESS:
        raise Refused("nothing_to_confirm")
    if match.state != State.AWAITING_CONFIRMATION:
        return _refuse(match)
    if match.claimant == seat:
        raise Refused("own_report")
    return Decision(Step.CONFIRM, match.claimant)


def dispute(match: Match, seat: Seat) -> Decision:
    """A player disputes the result that the opponent reported. A moderator will rule."""
    if match.state == State.DISPUTED:
        return NOTHING
    if match.state == State.IN_PROGRESS:
        raise Refused("nothing_to_dispute")
    if match.state != State.AWAITING_CONFIRMATION:
        return _refuse(match)
    if match.claimant == seat:
        raise Refused("own_report")
    return Decision(Step.DISPUTE)


def server_result(match: Match, winner: Seat) -> Decision:
    """A trusted server reports the result. It is final, and it ends a dispute."""
    if match.state == State.CONFIRMED and winner == match.winner:
        return NOTHING
    return Decision(Step.CONFIRM, winner) if match.state in PLAYABLE else _refuse(match)


def server_void(match: Match, reason: str) -> Decision:
    """A trusted server reports that nobody moved or that the server failed."""
    if match.state == State.VOIDED and match.void_reason == reason:
        return NOTHING
    return Decision(Step.VOID) if match.state in PLAYABLE else _refuse(match)


def deadline(match: Match) -> Decision:
    """The time to confirm is over: the reported result is confirmed."""
    if match.state != State.AWAITING_CONFIRMATION:
        return NOTHING
    return Decision(Step.CONFIRM, match.claimant)


def expiry(match: Match) -> Decision:
    """The match has expired without a report, or the offer without two acceptances."""
    if match.state == State.OFFERED:
        return Decision(Step.CANCEL)
    return Decision(Step.VOID) if match.state == State.IN_PROGRESS else NOTHING


def rule(match: Match, winner: Seat | None) -> Decision:
    """A moderator rules who won an unfinished match, or (``winner`` None) that it is void."""
    if match.state not in PLAYABLE:
        if winner is not None and match.state == State.CONFIRMED and winner == match.winner:
            return NOTHING
        if winner is None and match.state == State.VOIDED:
            return NOTHING
        return _refuse(match)
    return Decision(Step.VOID) if winner is None else Decision(Step.CONFIRM, winner)


def overturn(match: Match, winner: Seat | None) -> Decision:
    """A moderator changes a confirmed result: to void (``winner`` None), or to the other winner."""
    if match.state == State.VOIDED and winner is None:
        return NOTHING
    if match.state != State.CONFIRMED:
        return _refuse(match)
    if winner is None:
        return Decision(Step.VOID)
    return NOTHING if winner == match.winner else Decision(Step.CONFIRM, winner)


_REFUSALS = {
    State.OFFERED: "match_not_started",
    State.IN_PROGRESS: "match_in_progress",
    State.AWAITING_CONFIRMATION: "match_awaiting_confirmation",
    State.CONFIRMED: "match_confirmed",
    State.DISPUTED: "match_disputed",
    State.VOIDED: "match_voided",
    State.CANCELLED: "match_cancelled",
}


def _refuse(match: Match) -> Decision:
    raise Refused(_REFUSALS[match.state])
