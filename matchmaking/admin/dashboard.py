"""What matchmaking shows on the first page of the admin."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.admin.staff import staff
from common.admin.dashboard import Figure
from matchmaking.models import Offer, Ticket


def figures(request: HttpRequest) -> Iterator[Figure]:
    """How many wait in the queue, and how many offers are open."""
    account = staff(request)
    if account.has_perm("matchmaking.view_ticket"):
        waiting = Ticket.objects.filter(state=Ticket.State.WAITING).count()
        yield Figure(_("Waiting in the queue"), "hourglass_empty", waiting, reverse("admin:matchmaking_ticket_queue"))
    if account.has_perm("matchmaking.view_offer"):
        is_open = Offer.Outcome.OPEN
        offers = f"{reverse('admin:matchmaking_offer_changelist')}?outcome__exact={is_open}"
        yield Figure(_("Open offers"), "handshake", Offer.objects.filter(outcome=is_open).count(), offers)
