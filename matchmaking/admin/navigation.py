"""The sidebar, with matchmaking in it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ladder.admin import navigation

# What each entry opens, and whose permission to view shows it.
PAGES = (
    ("ticket_queue", "ticket", _("Queue"), "hourglass_top"),
    ("ticket_changelist", "ticket", _("Tickets"), "confirmation_number"),
    ("offer_changelist", "offer", _("Offers"), "handshake"),
    ("offer_opponents", "offer", _("Repeat opponents"), "repeat"),
    ("penalty_changelist", "penalty", _("Penalties"), "timer_off"),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    first, *others = navigation.sidebar(request)
    links = [reverse(f"admin:matchmaking_{name}") for name, *_rest in PAGES]
    # Some pages stand below another's address: the longest that fits is the one that is open.
    open_now = max((link for link in links if request.path.startswith(link)), key=len, default=None)
    pages = [
        _page(link, model, title, icon, active=link == open_now)
        for link, (_name, model, title, icon) in zip(links, PAGES, strict=True)
    ]
    return [first, {"title": _("Matchmaking"), "separator": True, "items": pages}, *others]


def _page(link: str, model: str, title: str | Promise, icon: str, *, active: bool) -> dict[str, Any]:
    def may_view(request: HttpRequest) -> bool:
        return request.user.has_perm(f"matchmaking.view_{model}")

    return {"title": title, "icon": icon, "link": link, "permission": may_view, "active": active}
