"""What the admin of matchmaking adds to the sidebar, to the start page, and to the audit trail."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.admin.staff import staff
from accounts.points import AuditAction
from common.admin.dashboard import Figure
from common.admin.navigation import Page, Section
from matchmaking.models import Offer, Ticket

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

AUDIT_ACTIONS = (AuditAction("penalty.lift", _("lifted a penalty")),)


def figures(request: HttpRequest) -> Iterator[Figure]:
    """The numbers of waiting tickets and of open offers."""
    account = staff(request)
    if account.has_perm("matchmaking.view_ticket"):
        waiting = Ticket.objects.filter(state=Ticket.State.WAITING).count()
        yield Figure(_("Waiting in the queue"), "hourglass_empty", waiting, reverse("admin:matchmaking_ticket_queue"))
    if account.has_perm("matchmaking.view_offer"):
        is_open = Offer.Outcome.OPEN
        offers = f"{reverse('admin:matchmaking_offer_changelist')}?outcome__exact={is_open}"
        yield Figure(_("Open offers"), "handshake", Offer.objects.filter(outcome=is_open).count(), offers)
