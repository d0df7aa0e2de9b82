"""Tickets, and the current queue."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from common.admin.base import ReadOnlyAdmin
from common.admin.pages import page
from matchmaking.admin.texts import FORECASTS, TICKET_COLOURS, duration_text
from matchmaking.limits import QUEUE_PAGE_ROWS, QUEUE_PAGE_SECONDS
from matchmaking.models import Ticket
from matchmaking.queries import waiting


class Row(NamedTuple):
    """A row of the queue page: a waiting ticket, and its values as text."""

    it: waiting.WaitingTicket
    lengths: str
    waited: str
    silent: str
    why: Promise | None


@admin.register(Ticket)
class TicketAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("account", "state_label", "ladder", "lengths", "waiting_since", "closed_at")
    list_select_related = ("account", "ladder")
    list_filter = (("state", ChoicesDropdownFilter), ("ladder", RelatedDropdownFilter))
    search_help_text = _("Start of a player's username, or a ticket's id")
    fields = (
        ("account", "state_label"),
        ("ladder", "lengths"),
        ("created_at", "waiting_since", "queued_at"),
        ("seen_at", "closed_at"),
    )
    readonly_fields = ("state_label", "lengths")

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(pk=uuid) if uuid else Q(account__in=players)

    def get_urls(self) -> list[Any]:
        queue_view = self.admin_site.admin_view(self.queue_view)
        return [path("queue/", queue_view, name="matchmaking_ticket_queue"), *super().get_urls()]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """The current queue. The page is loaded again every few seconds, unless it is paused (``?live=0``)."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        queues = waiting.ladder_queues(QUEUE_PAGE_ROWS)
        return page(
            self, request, "admin/matchmaking/queue.html", title=_("Queue"), now=now, seconds=QUEUE_PAGE_SECONDS,
            live=request.GET.get("live") != "0",
            queues=[
                {"queue": each, "more": each.size - len(each.first), "rows": [self.row(it, now) for it in each.first]}
                for each in queues
                if each.size
            ],
            empty=[each.ladder for each in queues if not each.size],
        )  # fmt: skip

    def row(self, it: waiting.WaitingTicket, now: datetime) -> Row:
        return Row(
            it=it,
            lengths=self.lengths(it.ticket),
            waited=duration_text(it.waited),
            silent=duration_text(max((now - it.last_seen).total_seconds(), 0)),
            why=None if it.forecast is None else FORECASTS[it.forecast],
        )

    @display(description=_("state"), label=TICKET_COLOURS)
    def state_label(self, ticket: Ticket) -> tuple[str, str]:
        return ticket.state, ticket.get_state_display()

    @display(description=_("match lengths"))
    def lengths(self, ticket: Ticket) -> str:
        return ", ".join(map(str, ticket.match_lengths))
