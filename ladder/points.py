"""Where other apps add to the ladder: what follows when an offer starts or ends, and what keeps a player busy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise

from accounts.points import EventFields
from common.points import ExtensionPoint
from ladder.models import Match
from ladder.rules.match_life import Cancel, Seat

NotesByAccount = Mapping[int, EventFields]
"""What accounts are told beside the thing itself, by their ids."""


class MatchListener:
    """What an app does, in the same transaction, when something happens to a match. By default nothing.

    The match row is locked; a listener locks nothing that stands before it in the order of locks (docs/locking.md).
    """

    def match_started(self, match: Match) -> None:
        """Both players have accepted."""

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> NotesByAccount:
        """The offer was cancelled, by one's doing or nobody's. What each is told besides; it writes no events."""
        return {}

    def offers_shown(self, account_id: int, match_ids: Collection[UUID]) -> None:
        """An answer shows the account these offers to it. Nothing is locked."""


@dataclass(frozen=True, slots=True)
class Busy:
    """Why a player may start no ranked match now, although the account may play.

    ``condition`` is SQL about the account ``u``; the one way to ask, for one player and for a whole queue. ``code`` and
    ``detail`` are what the player is told.
    """

    code: str
    condition: str
    detail: str | Promise


LISTENERS: ExtensionPoint[MatchListener] = ExtensionPoint()
BUSY: ExtensionPoint[Busy] = ExtensionPoint()
