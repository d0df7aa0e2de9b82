"""Matchmaking's pages in the sidebar."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from common.admin.navigation import Page, Section

MATCHMAKING = Section(_("Matchmaking"), 20)

PAGES = (
    Page(MATCHMAKING, 10, _("Queue"), "hourglass_top", "matchmaking_ticket_queue", "matchmaking.view_ticket"),
    Page(
        MATCHMAKING, 20, _("Tickets"), "confirmation_number", "matchmaking_ticket_changelist", "matchmaking.view_ticket"
    ),
    Page(MATCHMAKING, 30, _("Offers"), "handshake", "matchmaking_offer_changelist", "matchmaking.view_offer"),
    Page(MATCHMAKING, 40, _("Repeat opponents"), "repeat", "matchmaking_offer_opponents", "matchmaking.view_offer"),
    Page(MATCHMAKING, 50, _("Penalties"), "timer_off", "matchmaking_penalty_changelist", "matchmaking.view_penalty"),
)
