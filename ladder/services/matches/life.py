"""Helpers of the services for one match."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from common.errors import Conflict, Forbidden
from ladder.models import Match
from ladder.rules import match_life
from ladder.rules.match_life import Seat, State
from ladder.services.matches.locking import LockedMatch

REFUSALS = {
    "match_not_started": gettext_noop("The match has not started yet."),
    "match_in_progress": gettext_noop("The match is in progress."),
    "match_awaiting_confirmation": gettext_noop("The match is waiting for confirmation."),
    "match_confirmed": gettext_noop("The match is confirmed with another result."),
    "match_disputed": gettext_noop("The match is disputed; a moderator will rule."),
    "match_voided": gettext_noop("The match was voided."),
    "match_cancelled": gettext_noop("The match was cancelled."),
    "nothing_to_confirm": gettext_noop("Your opponent has not reported a result."),
    "nothing_to_dispute": gettext_noop("Your opponent has not reported a result."),
    "own_report": gettext_noop("You reported this result. Your opponent has to confirm or dispute it."),
}


@contextmanager
def refusals_as_conflicts() -> Iterator[None]:
    """Turn ``Refused`` of the rules into ``Conflict`` with a text."""
    try:
        yield
    except match_life.Refused as refused:
        raise Conflict(refused.code, gettext(REFUSALS[refused.code])) from refused


def seat_of(locked: LockedMatch, player: User) -> Seat:
    """The player's seat. Raises ``Forbidden`` if the player is not in the match."""
    seat = locked.match.seat_of(player.pk)
    if seat is None:
        raise Forbidden("not_your_match", gettext("You do not play in this match."))
    return seat


def end_match(match: Match, state: State, reason: str) -> None:
    """Void or cancel a locked match."""
    match.state = state
    match.void_reason = reason
    match.finished_at = timezone.now()
    match.save(update_fields=["state", "void_reason", "finished_at"])
