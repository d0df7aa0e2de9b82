"""The sidebar, and the tabs above the list of matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ladder.rules.match_life import State

TABS = (
    (State.DISPUTED, _("Disputed")),
    (State.AWAITING_CONFIRMATION, _("Awaiting confirmation")),
    (State.IN_PROGRESS, _("In progress")),
    (State.CONFIRMED, _("Confirmed")),
    (State.VOIDED, _("Voided")),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    disputes = f"{reverse('admin:ladder_match_changelist')}?state__exact={State.DISPUTED}"
    disputed_now = request.GET.get("state__exact") == State.DISPUTED
    return [
        {
            "title": _("Moderation"),
            "items": [
                {"title": _("Overview"), "icon": "dashboard", "link": reverse("admin:index")},
                {
                    **_page("match", _("Disputes"), "gavel"),
                    "link": disputes,
                    "active": disputed_now,
                    "badge": "ladder.admin.dashboard.open_disputes",
                },
                {**_page("match", _("Matches"), "casino"), **({"active": False} if disputed_now else {})},
                _page("matchreport", _("Reports"), "campaign"),
                _page("auditentry", _("Audit trail"), "history"),
            ],
        },
        {
            "title": _("Ratings"),
            "separator": True,
            "items": [
                _page("standing", _("Standings"), "leaderboard"),
                _page("ratingentry", _("Ledger"), "receipt_long"),
                _page("decayrun", _("Decay"), "trending_down"),
                _page("decaypause", _("Pauses"), "pause_circle"),
                _page("ladder", _("Ladders"), "stairs"),
            ],
        },
        {
            "title": _("Access"),
            "separator": True,
            "items": [
                _page("user", _("Accounts"), "group"),
                _page("suspension", _("Suspensions"), "block"),
                _page("servicekey", _("Service keys"), "key"),
            ],
        },
    ]


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    chosen = request.GET.get("state__exact", "")
    everything = {"title": _("All"), "link": "?", "active": not chosen}
    states = [{"title": title, "link": f"?state__exact={state}", "active": chosen == state} for state, title in TABS]
    return [{"models": ["ladder.match"], "items": [everything, *states]}]


def _page(model: str, title: str | Promise, icon: str) -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse(f"admin:ladder_{model}_changelist"),
        "permission": _may_view(model),
    }


def _may_view(model: str) -> Callable[[HttpRequest], bool]:
    def may_view(request: HttpRequest) -> bool:
        return request.user.has_perm(f"ladder.view_{model}")

    return may_view
