"""Tickets, and the offers behind them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from common.types import Slug
from ladder.api.resources.matches import MatchShown
from ladder.rules.ranked import Origin
from matchmaking.models import Ticket
from matchmaking.models.ticket import TicketState


class TicketShown(TypedDict):
    """A wish for a ranked match.

    ``waiting_since`` stays when an offer came to nothing by the other's fault. A waiting ticket leaves the queue at
    ``silent_at`` unless its player gives a sign of life before. ``offer`` is there while the ticket is ``offered``,
    and is then the match to accept or decline.
    """

    id: UUID
    ladder: Slug
    match_lengths: list[int]
    state: TicketState
    waiting_since: datetime
    silent_at: datetime | None
    created_at: datetime
    closed_at: datetime | None
    offer: MatchShown | None


def ticket_shown(ticket: Ticket, offers: Sequence[MatchShown], silent_at: datetime) -> TicketShown:
    """``offers`` are the player's open ones; ``silent_at`` counts while the ticket waits."""
    offer = next((match for match in offers if match["origin"] == Origin.MATCHMAKING), None)
    return {
        "id": ticket.pk,
        "ladder": ticket.ladder.slug,
        "match_lengths": ticket.match_lengths,
        "state": TicketState(ticket.state),
        "waiting_since": ticket.waiting_since,
        "silent_at": silent_at if ticket.state == Ticket.State.WAITING else None,
        "created_at": ticket.created_at,
        "closed_at": ticket.closed_at,
        "offer": offer if ticket.state == Ticket.State.OFFERED else None,
    }
