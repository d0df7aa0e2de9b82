"""Tickets, and the offers behind them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TypedDict
from uuid import UUID

from ladder.api.resources import players as shown
from ladder.api.resources.matches import MatchShown, fetched_match
from ladder.api.resources.types import Slug
from ladder.models import Match, User
from matchmaking.models import Ticket

TicketState = StrEnum("TicketState", dict(zip(Ticket.State.names, Ticket.State.values, strict=True)))  # type: ignore[misc]


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


class Open(shown.Open):
    """What waits for the player."""

    ticket: TicketShown | None


class Me(shown.Me):
    """A player, as he sees himself. ``last_event`` is the number of his newest event."""

    queue_again_at: datetime | None
    last_event: int
    open: Open  # type: ignore[misc]


def ticket_shown(ticket: Ticket, offers: Sequence[Match], reader: User, silent_at: datetime) -> TicketShown:
    """``offers`` are the player's open ones; ``silent_at`` counts while the ticket waits."""
    offer = next((match for match in offers if match.origin == "matchmaking"), None)
    is_offered = ticket.state == Ticket.State.OFFERED and offer is not None
    return {
        "id": ticket.pk,
        "ladder": ticket.ladder.slug,
        "match_lengths": ticket.match_lengths,
        "state": TicketState(ticket.state),
        "waiting_since": ticket.waiting_since,
        "silent_at": silent_at if ticket.state == Ticket.State.WAITING else None,
        "created_at": ticket.created_at,
        "closed_at": ticket.closed_at,
        "offer": fetched_match(offer, reader) if is_offered else None,
    }
