"""Events about tickets, and fields about tickets in other events."""

from __future__ import annotations

from datetime import datetime
from typing import NotRequired, TypedDict
from uuid import UUID

from common.types import Points, Probability, Slug
from events.kinds import ACCOUNT_SUSPENDED
from events.points import Addition, Kind
from ladder.event_kinds import MATCH_OFFERED, OFFER_CALLED_OFF, OFFER_DECLINED, OFFER_EXPIRED
from matchmaking.models.ticket import TicketState


class TicketFields(TypedDict):
    """``queue_again_at``: when the player can join the queue again, if not now."""

    ticket: NotRequired[UUID]
    ticket_state: NotRequired[TicketState]
    queue_again_at: NotRequired[datetime | None]


class QueueOffer(TypedDict):
    """Why the queue has paired the two players."""

    ticket: NotRequired[UUID]
    opponent_rating: NotRequired[Points]
    win_probability: NotRequired[Probability]
    waited_seconds: NotRequired[float]


class TicketClosed(TypedDict):
    """The ticket has left the queue, because there was no heartbeat."""

    ladder: Slug
    ticket: UUID
    ticket_state: TicketState
    queue_again_at: datetime | None


TICKET_CLOSED = Kind("ticket_closed", TicketClosed)

ADDED_FIELDS = (
    Addition(MATCH_OFFERED, QueueOffer),
    *(Addition(kind, TicketFields) for kind in (OFFER_DECLINED, OFFER_EXPIRED, OFFER_CALLED_OFF, ACCOUNT_SUSPENDED)),
)
