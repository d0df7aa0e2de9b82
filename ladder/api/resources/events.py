"""Events as their account is told of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypedDict

from ladder.api.resources.types import About
from ladder.models import Event
from ladder.queries.events import Happened, Reading

Number = Annotated[int, About(minimum=0, examples=[17])]


class EventShown(TypedDict):
    """Something that happened to the account. ``number`` counts its events without a gap; what ``data`` holds depends
    on the kind."""

    number: Number
    kind: Event.Kind
    created_at: datetime
    data: dict[str, Any]


class EventPage(TypedDict):
    """What happened after a number, the oldest first. Ask next for what came after ``last``.

    ``reset``: some of it is not kept any more, so read ``/me`` again.
    """

    events: list[EventShown]
    last: Number
    reset: bool


class EventToken(TypedDict):
    """``token`` goes into the address of an event stream and opens nothing else, until ``expires_at`` or sign-out."""

    token: str
    expires_at: datetime


def event_shown(event: Happened) -> EventShown:
    return {
        "number": event.number,
        "kind": Event.Kind(event.kind),
        "created_at": event.created_at,
        "data": event.data,
    }


def page_shown(reading: Reading) -> EventPage:
    return {
        "events": [event_shown(event) for event in reading.events],
        "last": reading.last,
        "reset": reading.reset,
    }
