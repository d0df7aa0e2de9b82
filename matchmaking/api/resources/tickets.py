"""Tickets and their offers in the answers of the API."""

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
    """A request for a ranked match.

    ``waiting_since`` does not change when the other player does not accept an offer. A waiting ticket leaves the queue
    at ``silent_at`` if there is no heartbeat before. ``offer`` is set while the ticket is ``offered``: the match to
    accept or decline.
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
    """``offers``: the player's open offers. ``silent_at`` is shown only while the ticket is waiting."""
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
