"""Events as their account is told of them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict

from common.types import About, OneOf, merged
from events.points import KINDS, Kind
from events.queries import Happened, Reading

_typed_dict: Any = TypedDict  # with names that are known only when it runs

Number = Annotated[int, About(minimum=0, examples=[17])]


def event_types() -> dict[str, type]:
    """The types of events, by their kinds."""
    return {kind.code: merged(kind.event_name, [_Event, _typed(kind)], kind.payload.__doc__ or "") for kind in KINDS}


def _typed(kind: Kind) -> type:
    """What tells an event of this kind from others."""
    return _typed_dict(kind.event_name, {"kind": Literal[kind.code], "data": kind.type})  # type: ignore[no-any-return]


class _Event(TypedDict):
    number: Number
    created_at: datetime


EVENT = OneOf("Event", event_types, discriminator="kind")
Event = Annotated[dict[str, Any], EVENT]
"""Something that happened to the account. ``number`` counts its events without a gap; ``data`` depends on the kind."""


class EventPage(TypedDict):
    """What happened after a number, the oldest first. Ask next for what came after ``last``.

    ``reset``: some of it is not kept any more, so read ``/me`` again.
    """

    events: list[Event]
    last: Number
    reset: bool


class EventToken(TypedDict):
    """``token`` goes into the address of an event stream and opens nothing else, until ``expires_at`` or sign-out."""

    token: str
    expires_at: datetime


def event_shown(event: Happened) -> dict[str, Any]:
    return {
        "number": event.number,
        "kind": event.kind,
        "created_at": event.created_at,
        "data": event.data,
    }


def page_shown(reading: Reading) -> EventPage:
    return {
        "events": [event_shown(event) for event in reading.events],
        "last": reading.last,
        "reset": reading.reset,
    }
