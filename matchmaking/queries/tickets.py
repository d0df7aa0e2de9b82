"""Queries about tickets."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import NotFound
from events.models import Presence
from matchmaking.models import Ticket


def live_ticket(account: User) -> Ticket | None:
    return Ticket.objects.select_related("ladder").filter(account=account, state__in=Ticket.LIVE).first()


def own_ticket(ticket_id: UUID, account: User) -> Ticket:
    """The player's ticket with this id. Raises ``NotFound``, also for another player's ticket."""
    ticket = Ticket.objects.select_related("ladder").filter(pk=ticket_id, account=account).first()
    if ticket is None:
        raise NotFound("ticket_not_found", _("You have no such ticket."))
    return ticket


def waiting() -> QuerySet[Any]:
    """The waiting tickets, with ``last_seen``: the last heartbeat or open event stream of the player."""
    last_seen = Greatest("seen_at", Coalesce(F("account__presence__seen_at"), F("seen_at")))
    return Ticket.objects.filter(state=Ticket.State.WAITING).annotate(last_seen=last_seen)


def silence_limit() -> timedelta:
    """How long a ticket stays in the queue without a heartbeat."""
    return timedelta(seconds=settings.TICKET_SILENCE_SECONDS)


def silent_at(ticket: Ticket) -> datetime:
    """When the ticket leaves the queue if there is no heartbeat before."""
    presence = Presence.objects.filter(account=ticket.account_id).values_list("seen_at", flat=True).first()
    return max(ticket.seen_at, presence or ticket.seen_at) + silence_limit()
