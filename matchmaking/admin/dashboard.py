"""What a moderator sees first, with the queue in it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ladder.admin import dashboard as ladder
from ladder.admin.requests import staff
from matchmaking.models import Offer, Ticket


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the account may see to the context of the first page."""
    context = ladder.dashboard(request, context)
    account = staff(request)
    figures = []
    if account.has_perm("matchmaking.view_ticket"):
        figures.append({
            "title": _("Waiting in the queue"),
            "icon": "hourglass_empty",
            "number": Ticket.objects.filter(state=Ticket.State.WAITING).count(),
            "url": reverse("admin:matchmaking_ticket_queue"),
        })  # fmt: skip
    if account.has_perm("matchmaking.view_offer"):
        figures.append({
            "title": _("Open offers"),
            "icon": "handshake",
            "number": Offer.objects.filter(outcome=Offer.Outcome.OPEN).count(),
            "url": f"{reverse('admin:matchmaking_offer_changelist')}?outcome__exact={Offer.Outcome.OPEN}",
        })  # fmt: skip
    if figures:
        context["figures"] = [*context.get("figures", []), *figures]
    return context
