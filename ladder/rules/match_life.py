"""The life of a match: what each report, confirmation, dispute or deadline does to it.

``offered -> in_progress -> awaiting_confirmation -> confirmed``, with ``disputed``, ``voided`` and ``cancelled``
beside it. Each function takes the match as it stands and one event, and answers with what must happen, or raises
:class:`Refused`. A repeated call answers :attr:`Step.NOTHING`: the caller shows the match as it is. A contrary one
never changes a finished match.
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
    """How the match ended at the board; each of them counts in full."""

    PLAYED = "played"
    RESIGNED = "resigned"
    TIMED_OUT = "timed_out"
    ABANDONED = "abandoned"


class ConfirmedBy(StrEnum):
    """Whose word made the result final."""

    OPPONENT = "opponent"
    SERVER = "server"
    DEADLINE = "deadline"
    MODERATOR = "moderator"
    IMPORT = "import"


class Cancel(StrEnum):
    """Why an offer came to nothing: by a player's word, by the clock, or because the two must not meet after all."""

    DECLINED = "declined"
    OFFER_EXPIRED = "offer_expired"
    CALLED_OFF = "called_off"


class Step(StrEnum):
    NOTHING = "nothing"
    ACCEPT = "accept"
    START = "start"
    AWAIT = "await"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    VOID = "void"
    CANCEL = "cancel"


class Refused(Exception):
    """The event does not fit the match as it stands. ``code`` is stable and part of the API."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Match:
    """A match as its life sees it. ``claims`` holds every report made so far as (who reported, who won)."""

    state: State
    winner: Seat | None = None
    accepted: frozenset[Seat] = field(default=frozenset())
    claims: frozenset[tuple[Seat, Seat]] = field(default=frozenset())
    void_reason: str | None = None

    @property
    def claimant(self) -> Seat | None:
        """The player whose report of an own win waits for the opponent's word."""
        return next((who for who, winner in self.claims if who == winner), None)


@dataclass(frozen=True, slots=True)
class Verdict:
    step: Step
    winner: Seat | None = None


NOTHING = Verdict(Step.NOTHING)


def other(seat: Seat) -> Seat:
    return 2 if seat == 1 else 1


def accept(match: Match, who: Seat) -> Verdict:
    """A player accepts the offer; the second acceptance starts the match."""
    if who in match.accepted:
        return NOTHING if match.state in LIVE or match.state == State.CONFIRMED else _refuse(match)
    if match.state != State.OFFERED:
        return _refuse(match)
    return Verdict(Step.START if other(who) in match.accepted else Step.ACCEPT)


def decline(match: Match) -> Verdict:
    """A player declines the offer, also after he accepted it, as long as the match has not started."""
    if match.state == State.CANCELLED:
        return NOTHING
    return Verdict(Step.CANCEL) if match.state == State.OFFERED else _refuse(match)


def report(match: Match, who: Seat, winner: Seat) -> Verdict:
    """A player reports who won.

    His own loss is believed at once, also when he claimed the win before: nobody lies to his own harm. His own win
    waits for the opponent, and two players who both claim it are in dispute.
    """
    if match.state == State.CONFIRMED and winner == match.winner:
        return NOTHING
    if match.state in (State.AWAITING_CONFIRMATION, State.DISPUTED, State.VOIDED) and (who, winner) in match.claims:
        return NOTHING
    if match.state not in (State.IN_PROGRESS, State.AWAITING_CONFIRMATION):
        return _refuse(match)
    if winner != who:
        return Verdict(Step.CONFIRM, winner)
    return Verdict(Step.AWAIT if match.claimant is None else Step.DISPUTE, winner)


def confirm(match: Match, who: Seat) -> Verdict:
    """A player confirms the result that his opponent reported."""
    if match.state == State.CONFIRMED:
        reported = {winner for seat, winner in match.claims if seat == other(who)}
        return _refuse(match) if reported - {match.winner} else NOTHING
    if match.state == State.IN_PROGRESS:
        raise Refused("nothing_to_confirm")
    if match.state != State.AWAITING_CONFIRMATION:
        return _refuse(match)
    if match.claimant == who:
        raise Refused("own_report")
    return Verdict(Step.CONFIRM, match.claimant)


def dispute(match: Match, who: Seat) -> Verdict:
    """A player disputes the result that his opponent reported: nothing settles until a moderator rules."""
    if match.state == State.DISPUTED:
        return NOTHING
    if match.state == State.IN_PROGRESS:
        raise Refused("nothing_to_dispute")
    if match.state != State.AWAITING_CONFIRMATION:
        return _refuse(match)
    if match.claimant == who:
        raise Refused("own_report")
    return Verdict(Step.DISPUTE)


def server_result(match: Match, winner: Seat) -> Verdict:
    """The trusted server saw the match: its word is final, and it ends a dispute between the players as well."""
    if match.state == State.CONFIRMED and winner == match.winner:
        return NOTHING
    return Verdict(Step.CONFIRM, winner) if match.state in PLAYABLE else _refuse(match)


def server_void(match: Match, reason: str) -> Verdict:
    """The trusted server saw that nobody moved, or it failed itself."""
    if match.state == State.VOIDED and match.void_reason == reason:
        return NOTHING
    return Verdict(Step.VOID) if match.state in PLAYABLE else _refuse(match)


def deadline(match: Match) -> Verdict:
    """The time to confirm has passed: the standing report becomes the result."""
    if match.state != State.AWAITING_CONFIRMATION:
        return NOTHING
    return Verdict(Step.CONFIRM, match.claimant)


def expiry(match: Match) -> Verdict:
    """The match's time is over without any report, or the offer's time without both acceptances."""
    if match.state == State.OFFERED:
        return Verdict(Step.CANCEL)
    return Verdict(Step.VOID) if match.state == State.IN_PROGRESS else NOTHING


def rule(match: Match, winner: Seat | None) -> Verdict:
    """A moderator rules for one side, or (``winner`` None) that the match is void."""
    if match.state not in PLAYABLE:
        if winner is not None and match.state == State.CONFIRMED and winner == match.winner:
            return NOTHING
        if winner is None and match.state == State.VOIDED:
            return NOTHING
        return _refuse(match)
    return Verdict(Step.VOID) if winner is None else Verdict(Step.CONFIRM, winner)


def overturn(match: Match, winner: Seat | None) -> Verdict:
    """A moderator takes a confirmed result back: void (``winner`` None), or corrected to the other winner."""
    if match.state == State.VOIDED and winner is None:
        return NOTHING
    if match.state != State.CONFIRMED:
        return _refuse(match)
    if winner is None:
        return Verdict(Step.VOID)
    return NOTHING if winner == match.winner else Verdict(Step.CONFIRM, winner)


_REFUSALS = {
    State.OFFERED: "match_not_started",
    State.IN_PROGRESS: "match_in_progress",
    State.AWAITING_CONFIRMATION: "match_awaiting_confirmation",
    State.CONFIRMED: "match_confirmed",
    State.DISPUTED: "match_disputed",
    State.VOIDED: "match_voided",
    State.CANCELLED: "match_cancelled",
}


def _refuse(match: Match) -> Verdict:
    raise Refused(_REFUSALS[match.state])
