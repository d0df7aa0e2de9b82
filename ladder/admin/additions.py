"""What the ladder adds to the admin: sidebar, tabs, start page, links of accounts, and actions of the audit trail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.admin.staff import staff
from accounts.points import AccountLink, AuditAction
from common.admin.dashboard import Figure, Panel
from common.admin.navigation import MODERATION, RATINGS, Page
from ladder.admin.explanations import ExplainedEntry
from ladder.admin.texts import time_ago
from ladder.limits import DASHBOARD_ROWS
from ladder.models import Ladder, Match, RatingEntry
from ladder.queries.decay import progress
from ladder.rules.match_life import State

AUDIT_ACTIONS = (
    AuditAction("match.rule", _("ruled the match")),
    AuditAction("match.overturn", _("overturned the result")),
    AuditAction("decay.pause", _("declared a decay pause")),
    AuditAction("decay.end_pause", _("ended a decay pause early")),
    AuditAction("decay.reverse", _("reversed a decay run")),
    AuditAction("rating.adjust", _("adjusted a rating")),
    AuditAction("ladder.create", _("created a ladder")),
    AuditAction("ladder.change", _("changed a ladder")),
)

ACCOUNT_LINKS = (
    AccountLink("ladder_standing_changelist", _("Standings")),
    AccountLink("ladder_ratingentry_changelist", _("Ledger")),
    AccountLink("ladder_match_changelist", _("Matches")),
)

TABS = (
    (State.DISPUTED, _("Disputed")),
    (State.AWAITING_CONFIRMATION, _("Awaiting confirmation")),
    (State.IN_PROGRESS, _("In progress")),
    (State.CONFIRMED, _("Confirmed")),
    (State.VOIDED, _("Voided")),
)


def match_tabs(request: HttpRequest) -> dict[str, Any]:
    """The tabs of the list of matches."""
    chosen = request.GET.get("state__exact", "")
    everything = {"title": _("All"), "link": "?", "active": not chosen}
    states = [{"title": title, "link": f"?state__exact={state}", "active": chosen == state} for state, title in TABS]
    return {"models": ["ladder.match"], "items": [everything, *states]}


def open_disputes(request: HttpRequest) -> int:
    return Match.objects.filter(state=State.DISPUTED).count()


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


def figures(request: HttpRequest) -> Iterator[Figure]:
    """The numbers of open matches by state, and of matches settled today."""
    if not staff(request).has_perm("ladder.view_match"):
        return
    matches = reverse("admin:ladder_match_changelist")
    for state, title, icon in (
        (State.DISPUTED, _("Open disputes"), "gavel"),
        (State.AWAITING_CONFIRMATION, _("Awaiting confirmation"), "hourglass_top"),
        (State.IN_PROGRESS, _("In progress"), "casino"),
    ):
        number = Match.objects.filter(state=state).count()
        yield Figure(title, icon, number, f"{matches}?state__exact={state}", urgent=state == State.DISPUTED)
    yield Figure(_("Settled today"), "task_alt", settled_today(), f"{matches}?rated=yes")


def settled_today() -> int:
    """The number of matches settled since midnight in the time zone of their ladder."""
    today = Q()
    for ladder in Ladder.objects.all():
        today |= Q(ladder=ladder, settled_at__gte=_midnight(ladder.time_zone))
    return Match.objects.filter(today).count() if today else 0


def _midnight(time_zone: str) -> datetime:
    return timezone.now().astimezone(ZoneInfo(time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)


def _disputes(request: HttpRequest) -> dict[str, Any] | None:
    if not staff(request).has_perm("ladder.view_match"):
        return None
    disputed = Match.objects.filter(state=State.DISPUTED).select_related("player_one", "player_two", "ladder")
    oldest = disputed.order_by("created_at")[:DASHBOARD_ROWS]
    return {"disputes": [(match, time_ago(match.created_at)) for match in oldest]}


def _decay(request: HttpRequest) -> dict[str, Any] | None:
    return {"progress": progress()} if staff(request).has_perm("ladder.view_decayrun") else None


def _entries(request: HttpRequest) -> dict[str, Any] | None:
    if not staff(request).has_perm("ladder.view_ratingentry"):
        return None
    newest = RatingEntry.objects.select_related("standing__player", "standing__ladder").order_by("-id")
    return {"entries": [ExplainedEntry(entry, entry.standing.player, []) for entry in newest[:DASHBOARD_ROWS]]}


PANELS = (
    Panel("admin/ladder/dashboard/disputes.html", _disputes),
    Panel("admin/ladder/dashboard/decay.html", _decay),
    Panel("admin/ladder/dashboard/entries.html", _entries, column=2),
)
