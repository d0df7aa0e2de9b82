"""Extension points of the ladder: listeners of matches, and reasons why a player is busy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise

from accounts.points import EventFields
from common.points import ExtensionPoint
from ladder.models import Match
from ladder.rules.match_life import Cancel, Seat

FieldsByAccount = Mapping[int, EventFields]
"""Additional fields of an event, by account id."""


class MatchListener:
    """What an app does in the same transaction when a match changes. The default is nothing.

    The match is locked. A listener must not lock anything that comes before matches in the lock order
    (docs/locking.md).
    """

    def match_started(self, match: Match) -> None:
        """Both players have accepted the offer."""

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> FieldsByAccount:
        """The offer was cancelled, by the player ``by`` or by no player.

        Returns additional fields for the event of each player; the listener writes no events itself."""
        return {}

    def offers_shown(self, account_id: int, match_ids: Collection[UUID]) -> None:
        """A response to the account contains these offers. Nothing is locked."""


@dataclass(frozen=True, slots=True)
class Busy:
    """A reason why a player may not start a ranked match now.

    ``condition`` is SQL about the account ``u``, for one player and for a whole queue. ``code`` and ``detail`` are for
    the response to the player.
    """

    code: str
    condition: str
    detail: str | Promise


LISTENERS: ExtensionPoint[MatchListener] = ExtensionPoint()
BUSY: ExtensionPoint[Busy] = ExtensionPoint()
