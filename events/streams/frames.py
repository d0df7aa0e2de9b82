"""Server-sent events, as the HTML standard defines them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rest_framework.renderers import JSONRenderer

from events.queries import Reading
from events.resources import event_shown

RETRY_MILLISECONDS = 2000
HEARTBEAT = b":\n\n"


class Closed(StrEnum):
    """Why the server ends a stream for good; coming back at once would be no use."""

    SIGNED_OUT = "signed_out"
    TOO_MANY = "too_many_streams"


def start(after: int) -> bytes:
    """The first frame. Its id makes a browser that loses the connection before the first event ask for that event."""
    return f"retry: {RETRY_MILLISECONDS}\nid: {after}\n\n".encode()


def told(reading: Reading) -> bytes:
    """The events that were read, with a ``reset`` before them if some are missing."""
    frames = [_frame(event.kind, event_shown(event), event.number) for event in reading.events]
    if reading.reset:
        number = reading.begins_after
        frames.insert(0, _frame("reset", {"number": number}, number))
    return b"".join(frames)


def closed(reason: Closed) -> bytes:
    return _frame("closed", {"reason": reason})


def _frame(name: str, data: Mapping[str, Any], number: int | None = None) -> bytes:
    # JSON as it is rendered holds no line break, which would end the field.
    identity = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (identity, name.encode(), JSONRenderer().render(data))
