"""Tickets: who waits now, and what became of those who waited."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from ladder.admin.base import PlayerSearch, ReadOnlyAdmin
from ladder.admin.requests import page
from matchmaking.admin.words import TICKET_COLOURS, seconds_in_words
from matchmaking.models import Ticket
from matchmaking.queries import queue

MOST_ROWS = 100
SECONDS_BETWEEN_LOOKS = 5


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

    def found(self, players: list[int], match_id: UUID | None) -> Q:
        return Q(pk=match_id) if match_id else Q(account__in=players)

    def get_urls(self) -> list[Any]:
        queue_view = self.admin_site.admin_view(self.queue_view)
        return [path("queue/", queue_view, name="matchmaking_ticket_queue"), *super().get_urls()]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """Who waits now; the page asks for itself again every few seconds."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        lines = [
            {
                "line": line,
                "more": line.length - len(line.first),
                "rows": [
                    (
                        it,
                        seconds_in_words(it.waited),
                        seconds_in_words((now - it.last_seen).total_seconds()),
                        self.lengths(it.ticket),
                    )
                    for it in line.first
                ],
            }
            for line in queue.lines(MOST_ROWS)
        ]
        response = page(
            self, request, "admin/matchmaking/queue.html", title=_("Queue"), lines=lines, now=now,
            seconds=SECONDS_BETWEEN_LOOKS,
        )  # fmt: skip
        response["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
        return response

    @display(description=_("state"), label=TICKET_COLOURS)
    def state_label(self, ticket: Ticket) -> tuple[str, str]:
        return ticket.state, ticket.get_state_display()

    @display(description=_("match lengths"))
    def lengths(self, ticket: Ticket) -> str:
        return ", ".join(map(str, ticket.match_lengths))
