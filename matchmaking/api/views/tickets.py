"""The queue: a ticket for a ranked match, a sign of life, and away again."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.inputs import Empty, read_body
from ladder.api.views.base import PlayerView, describe, player
from ladder.models import User
from ladder.queries import matches
from ladder.services.ladders import find_ladder
from matchmaking import tasks
from matchmaking.api.inputs import TicketRequest
from matchmaking.api.resources.tickets import TicketShown, ticket_shown
from matchmaking.models import Ticket
from matchmaking.services import offers, tickets
from matchmaking.triggers import soon


class Tickets(PlayerView):
    limit = "queue"

    @describe(
        "create_ticket", "Ask for a ranked match", request=TicketRequest,
        responses={201: TicketShown, 200: TicketShown},
    )  # fmt: skip
    @idempotent
    def post(self, request: Request) -> Response:
        """One live ticket per account: who has one gets it again (200), as it is.

        A sign of life is due before ``silent_at``, again and again: the heartbeat, or an open event stream.
        """
        body = read_body(TicketRequest, request)
        account = player(request)
        ticket, is_new = tickets.enter(account, find_ladder(body["ladder"]), body["match_lengths"])
        if is_new:
            transaction.on_commit(partial(soon, tasks.pair_waiting))
        return Response(_shown(ticket, account), status=201 if is_new else 200)


class OneTicket(PlayerView):
    @describe("read_ticket", "Your ticket", responses=TicketShown)
    def get(self, request: Request, ticket_id: UUID) -> Response:
        account = player(request)
        return Response(_shown(tickets.own_ticket(ticket_id, account), account))

    @describe("cancel_ticket", "Leave the queue", request=None, responses=TicketShown)
    def delete(self, request: Request, ticket_id: UUID) -> Response:
        """While a match is offered, this declines it, with what that costs."""
        account = player(request)
        return Response(_shown(tickets.cancel(ticket_id, account), account))


class Heartbeat(PlayerView):
    @describe("keep_ticket", "Give a sign of life", request=None, responses=TicketShown)
    @idempotent
    def post(self, request: Request, ticket_id: UUID) -> Response:
        read_body(Empty, request)
        account = player(request)
        return Response(_shown(tickets.see(tickets.own_ticket(ticket_id, account)), account))


def _shown(ticket: Ticket, account: User) -> TicketShown:
    offered = matches.open_matches(account)[0] if ticket.state == Ticket.State.OFFERED else []
    if offered:
        offers.shown(account)
    return ticket_shown(ticket, offered, account, tickets.silent_at(ticket))
