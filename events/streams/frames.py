"""Server-sent events, in the format of the HTML standard."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rest_framework.renderers import JSONRenderer

from events.limits import RECONNECT_MILLISECONDS
from events.queries import EventBatch
from events.resources import event_shown

HEARTBEAT = b":\n\n"


class CloseReason(StrEnum):
    """Why the server closes a stream. The client should not open it again at once."""

    SIGNED_OUT = "signed_out"
    TOO_MANY = "too_many_streams"


def start_frame(after: int) -> bytes:
    """The first frame. A browser that loses the connection before the first event sends this id when it reconnects."""
    return f"retry: {RECONNECT_MILLISECONDS}\nid: {after}\n\n".encode()


def event_frames(batch: EventBatch) -> bytes:
    """The events of the batch, after a ``reset`` frame if some are missing."""
    frames = [_frame(event.kind, event_shown(event), event.number) for event in batch.events]
    if batch.reset:
        number = batch.number_before
        frames.insert(0, _frame("reset", {"number": number}, number))
    return b"".join(frames)


def closed_frame(reason: CloseReason) -> bytes:
    return _frame("closed", {"reason": reason})


def _frame(name: str, data: Mapping[str, Any], number: int | None = None) -> bytes:
    # Rendered JSON contains no line break, which would end the field.
    identity = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (identity, name.encode(), JSONRenderer().render(data))
