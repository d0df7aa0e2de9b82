"""Tickets: who waits now, and what became of those who waited."""

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
from matchmaking.admin.words import OUTLOOKS, TICKET_COLOURS, seconds_in_words
from matchmaking.models import Ticket
from matchmaking.queries import waiting

MOST_ROWS = 100
SECONDS_BETWEEN_LOOKS = 5


class Row(NamedTuple):
    """A ticket that waits, in words."""

    it: waiting.Waiting
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

    def found(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(pk=uuid) if uuid else Q(account__in=players)

    def get_urls(self) -> list[Any]:
        queue_view = self.admin_site.admin_view(self.queue_view)
        return [path("queue/", queue_view, name="matchmaking_ticket_queue"), *super().get_urls()]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """Who waits now; unless paused (``?live=0``), the page looks again every few seconds."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = timezone.now()
        lines = waiting.lines(MOST_ROWS)
        return page(
            self, request, "admin/matchmaking/queue.html", title=_("Queue"), now=now, seconds=SECONDS_BETWEEN_LOOKS,
            live=request.GET.get("live") != "0",
            lines=[
                {"line": line, "more": line.size - len(line.first), "rows": [self.row(it, now) for it in line.first]}
                for line in lines
                if line.size
            ],
            empty=[line.ladder for line in lines if not line.size],
        )  # fmt: skip

    def row(self, it: waiting.Waiting, now: datetime) -> Row:
        return Row(
            it=it,
            lengths=self.lengths(it.ticket),
            waited=seconds_in_words(it.waited),
            silent=seconds_in_words(max((now - it.last_seen).total_seconds(), 0)),
            why=None if it.outlook is None else OUTLOOKS[it.outlook],
        )

    @display(description=_("state"), label=TICKET_COLOURS)
    def state_label(self, ticket: Ticket) -> tuple[str, str]:
        return ticket.state, ticket.get_state_display()

    @display(description=_("match lengths"))
    def lengths(self, ticket: Ticket) -> str:
        return ", ".join(map(str, ticket.match_lengths))
