"""The part of ``/me`` about the queue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from accounts.models import User
from accounts.points import MePart
from matchmaking.api.resources.tickets import TicketShown, ticket_shown
from matchmaking.queries import tickets
from matchmaking.queries.penalties import queue_again_at


class Open(TypedDict):
    ticket: TicketShown | None


class Queue(TypedDict):
    """``queue_again_at``: when the player can join the queue again, after penalties and a suspension. Null: now, or
    never if the suspension has no end."""

    queue_again_at: datetime | None
    open: Open


def queue(account: User, answer: Mapping[str, Any]) -> Queue:
    suspension = answer["suspension"]
    until = suspension["until"] if suspension else None
    ticket = tickets.live_ticket(account)
    offers = answer["open"]["offers"]
    return {
        "queue_again_at": queue_again_at(account, suspended=suspension is not None, until=until),
        "open": {"ticket": ticket_shown(ticket, offers, tickets.silent_at(ticket)) if ticket else None},
    }


QUEUE = MePart(Queue, queue)
