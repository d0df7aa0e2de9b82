"""An offer that an answer shows has reached its player."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework.request import Request

from accounts.models import User
from ladder.models import Match
from ladder.points import LISTENERS
from ladder.rules.match_life import State


def note_shown(request: Request, matches: Iterable[Match]) -> None:
    """The answer to this request shows these matches to its reader. An offer among them counts as delivered."""
    offers = [match.pk for match in matches if match.state == State.OFFERED]
    if offers and isinstance(request.user, User):
        for listener in LISTENERS:
            listener.offers_shown(request.user.pk, offers)
