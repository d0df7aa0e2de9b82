"""Between a locked match and the rules of its life: who speaks, what they refuse, and how a match ends unplayed."""

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
    "match_awaiting_confirmation": gettext_noop("The match waits for its confirmation."),
    "match_confirmed": gettext_noop("The match is confirmed with another result."),
    "match_disputed": gettext_noop("The match is disputed; a moderator will rule."),
    "match_voided": gettext_noop("The match was voided."),
    "match_cancelled": gettext_noop("The match was cancelled."),
    "nothing_to_confirm": gettext_noop("Your opponent has not reported a result."),
    "nothing_to_dispute": gettext_noop("Your opponent has not reported a result."),
    "own_report": gettext_noop("The result is your own report; your opponent has to confirm or dispute it."),
}


@contextmanager
def life() -> Iterator[None]:
    """Turn what the rules refuse into the conflict that the caller is told about."""
    try:
        yield
    except match_life.Refused as refused:
        raise Conflict(refused.code, gettext(REFUSALS[refused.code])) from refused


def seat_of(locked: LockedMatch, player: User) -> Seat:
    """Raises ``Forbidden`` for a stranger to the match."""
    seat = locked.match.seat_of(player.pk)
    if seat is None:
        raise Forbidden("not_your_match", gettext("You do not play in this match."))
    return seat


def end(match: Match, state: State, reason: str) -> None:
    """End a locked match without a result."""
    match.state = state
    match.void_reason = reason
    match.finished_at = timezone.now()
    match.save(update_fields=["state", "void_reason", "finished_at"])
