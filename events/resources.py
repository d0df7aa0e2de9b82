"""Events in the answers of the API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict

from common.types import OneOf, SchemaKeywords, merge_types
from events.points import KINDS, Kind
from events.queries import EventBatch, EventData

_typed_dict: Any = TypedDict  # type checkers accept only names that are literals

Number = Annotated[int, SchemaKeywords(minimum=0, examples=[17])]


def event_types() -> dict[str, type]:
    """The types of events, by the codes of their kinds."""
    return {
        kind.code: merge_types(kind.event_name, [_Event, _kind_and_data(kind)], kind.payload.__doc__ or "")
        for kind in KINDS
    }


def _kind_and_data(kind: Kind) -> type:
    """The fields of an event that depend on its kind."""
    return _typed_dict(kind.event_name, {"kind": Literal[kind.code], "data": kind.type})  # type: ignore[no-any-return]


class _Event(TypedDict):
    number: Number
    created_at: datetime


EVENT = OneOf("Event", event_types, discriminator="kind")
Event = Annotated[dict[str, Any], EVENT]
"""Something that happened to the account. ``number`` counts its events without a gap; ``data`` depends on the kind."""


class EventPage(TypedDict):
    """The events after a number, the oldest first. To get the next ones, ask for those after ``last``.

    ``reset``: some events were deleted, so read ``/me`` again.
    """

    events: list[Event]
    last: Number
    reset: bool


class EventToken(TypedDict):
    """``token`` is for the address of an event stream only. It is valid until ``expires_at`` or sign-out."""

    token: str
    expires_at: datetime


def event_shown(event: EventData) -> dict[str, Any]:
    return event._asdict()


def page_shown(batch: EventBatch) -> EventPage:
    return {"events": [event_shown(event) for event in batch.events], "last": batch.last, "reset": batch.reset}
