"""Joining the queue, staying in it, and leaving it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PlayerView, player
from common.api.idempotency import idempotent
from common.api.inputs import Empty, read_body
from common.api.schema import describe
from common.background import run_soon
from common.transactions import snapshot
from ladder.api.resources.matches import fetched_match
from ladder.api.shown import note_shown
from ladder.models import Match
from ladder.queries import matches
from ladder.queries.ladders import find_ladder
from matchmaking import tasks
from matchmaking.api.inputs import TicketRequest
from matchmaking.api.resources.tickets import TicketShown, ticket_shown
from matchmaking.models import Ticket
from matchmaking.queries import tickets
from matchmaking.services import tickets as queue


class Tickets(PlayerView):
    limit = "queue"

    @describe(
        "create_ticket", "Ask for a ranked match", request=TicketRequest,
        responses={201: TicketShown, 200: TicketShown},
    )  # fmt: skip
    @idempotent
    def post(self, request: Request) -> Response:
        """Each account has one live ticket. If you have one, the answer is that ticket, unchanged (200).

        To stay in the queue, send a heartbeat before each ``silent_at``, or keep an event stream open.
        """
        body = read_body(TicketRequest, request)
        account = player(request)
        ticket, is_new = queue.join_queue(account, find_ladder(body["ladder"]), body["match_lengths"])
        if is_new:
            transaction.on_commit(partial(run_soon, tasks.pair_waiting))
        return Response(_shown(request, ticket), status=201 if is_new else 200)


class OneTicket(PlayerView):
    @describe("read_ticket", "Your ticket", responses=TicketShown)
    def get(self, request: Request, ticket_id: UUID) -> Response:
        account = player(request)
        return Response(_shown(request, tickets.own_ticket(ticket_id, account)))

    @describe("cancel_ticket", "Leave the queue", request=None, responses={200: TicketShown})
    def delete(self, request: Request, ticket_id: UUID) -> Response:
        """This declines an open offer, with the usual penalty. There is none if the offer was not delivered to you."""
        account = player(request)
        return Response(_shown(request, queue.cancel(ticket_id, account)))


class Heartbeat(PlayerView):
    @describe("keep_ticket", "Send a heartbeat, to stay in the queue", request=None, responses=TicketShown)
    @idempotent
    def post(self, request: Request, ticket_id: UUID) -> Response:
        read_body(Empty, request)
        account = player(request)
        return Response(_shown(request, queue.keep_alive(tickets.own_ticket(ticket_id, account))))


def _shown(request: Request, ticket: Ticket) -> TicketShown:
    """The ticket and its offer, read at the same moment."""
    account = player(request)
    offers: list[Match] = []
    with snapshot():
        if ticket.state == Ticket.State.OFFERED:
            ticket = tickets.own_ticket(ticket.pk, account)
            offers, _started = matches.open_matches(account)
        shown = ticket_shown(ticket, [fetched_match(match, account) for match in offers], tickets.silent_at(ticket))
    note_shown(request, offers)
    return shown
