"""The ladder's pages in the sidebar, and the tabs above the list of matches."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.points import AccountLink
from common.admin.navigation import MODERATION, RATINGS, Page
from ladder.admin.dashboard import open_disputes
from ladder.rules.match_life import State

_DISPUTED = f"state__exact={State.DISPUTED}"
_MATCHES, _MAY_VIEW_MATCHES = "ladder_match_changelist", "ladder.view_match"

PAGES = (
    Page(MODERATION, 10, _("Disputes"), "gavel", _MATCHES, _MAY_VIEW_MATCHES, query=_DISPUTED, badge=open_disputes),
    Page(MODERATION, 20, _("Matches"), "casino", _MATCHES, _MAY_VIEW_MATCHES),
    Page(MODERATION, 30, _("Reports"), "campaign", "ladder_matchreport_changelist", "ladder.view_matchreport"),
    Page(RATINGS, 10, _("Standings"), "leaderboard", "ladder_standing_changelist", "ladder.view_standing"),
    Page(RATINGS, 20, _("Ledger"), "receipt_long", "ladder_ratingentry_changelist", "ladder.view_ratingentry"),
    Page(RATINGS, 30, _("Decay"), "trending_down", "ladder_decayrun_changelist", "ladder.view_decayrun"),
    Page(RATINGS, 40, _("Pauses"), "pause_circle", "ladder_decaypause_changelist", "ladder.view_decaypause"),
    Page(RATINGS, 50, _("Ladders"), "stairs", "ladder_ladder_changelist", "ladder.view_ladder"),
)

ACCOUNT_LINKS = (
    AccountLink("ladder_standing_changelist", _("Standings")),
    AccountLink("ladder_ratingentry_changelist", _("Ledger")),
    AccountLink("ladder_match_changelist", _("Matches")),
)

STATES = (
    (State.DISPUTED, _("Disputed")),
    (State.AWAITING_CONFIRMATION, _("Awaiting confirmation")),
    (State.IN_PROGRESS, _("In progress")),
    (State.CONFIRMED, _("Confirmed")),
    (State.VOIDED, _("Voided")),
)


def match_tabs(request: HttpRequest) -> dict[str, Any]:
    chosen = request.GET.get("state__exact", "")
    everything = {"title": _("All"), "link": "?", "active": not chosen}
    states = [{"title": title, "link": f"?state__exact={state}", "active": chosen == state} for state, title in STATES]
    return {"models": ["ladder.match"], "items": [everything, *states]}
