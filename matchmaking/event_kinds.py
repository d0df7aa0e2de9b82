"""What players are told about their tickets, also in events about the matches that they were offered."""

from __future__ import annotations

from datetime import datetime
from typing import NotRequired, TypedDict
from uuid import UUID

from common.types import Points, Probability, Slug
from events.kinds import ACCOUNT_SUSPENDED
from events.points import Addition, Kind
from ladder.event_kinds import MATCH_OFFERED, OFFER_CALLED_OFF, OFFER_DECLINED, OFFER_EXPIRED
from matchmaking.models.ticket import TicketState


class TicketNotes(TypedDict):
    """``queue_again_at`` is when the player may queue again, if not at once."""

    ticket: NotRequired[UUID]
    ticket_state: NotRequired[TicketState]
    queue_again_at: NotRequired[datetime | None]


class QueueOffer(TypedDict):
    """Why this is a fair match: what the queue went by when it brought the two together."""

    ticket: NotRequired[UUID]
    opponent_rating: NotRequired[Points]
    win_probability: NotRequired[Probability]
    waited_seconds: NotRequired[float]


class TicketClosed(TypedDict):
    """The ticket has left the queue, because its player gave no sign of life."""

    ladder: Slug
    ticket: UUID
    ticket_state: TicketState
    queue_again_at: datetime | None


TICKET_CLOSED = Kind("ticket_closed", TicketClosed)

ADDED = (
    Addition(MATCH_OFFERED, QueueOffer),
    *(Addition(kind, TicketNotes) for kind in (OFFER_DECLINED, OFFER_EXPIRED, OFFER_CALLED_OFF, ACCOUNT_SUSPENDED)),
)
