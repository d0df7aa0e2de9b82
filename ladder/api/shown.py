"""An offer that a response contains counts as delivered to the player."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework.request import Request

from accounts.models import User
from ladder.models import Match
from ladder.points import LISTENERS
from ladder.rules.match_life import State


def note_shown(request: Request, matches: Iterable[Match]) -> None:
    """Record that the response to this request contains these matches, so that their offers count as delivered."""
    offers = [match.pk for match in matches if match.state == State.OFFERED]
    if offers and isinstance(request.user, User):
        for listener in LISTENERS:
            listener.offers_shown(request.user.pk, offers)
