"""The part of ``/me`` about events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from accounts.models import User
from accounts.points import MePart
from events import queries


class LastEvent(TypedDict):
    """``last_event`` is the number of the account's newest event. Later events are not included in this answer."""

    last_event: int


def last_event(account: User, answer: Mapping[str, Any]) -> LastEvent:
    return {"last_event": queries.last_number(account)}


LAST_EVENT = MePart(LastEvent, last_event)
