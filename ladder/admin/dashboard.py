"""What a moderator sees first: what waits for him, and what has just happened."""

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

from ladder.admin.explanations import Movement
from ladder.admin.requests import staff
from ladder.models import Ladder, Match, RatingEntry
from ladder.queries.decay import progress
from ladder.rules.match_life import State

MOST_ROWS = 8


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the account may see to the context of the first page."""
    account = staff(request)
    context["title"] = _("Overview")
    if account.has_perm("ladder.view_match"):
        context["figures"] = list(_figures())
        context["disputes"] = Match.objects.filter(state=State.DISPUTED).select_related(
            "player_one", "player_two", "ladder"
        ).order_by("created_at")[:MOST_ROWS]  # fmt: skip
    if account.has_perm("ladder.view_ratingentry"):
        newest = RatingEntry.objects.select_related("standing__player", "standing__ladder").order_by("-id")
        context["movements"] = [Movement(entry, entry.standing.player, []) for entry in newest[:MOST_ROWS]]
    if account.has_perm("ladder.view_decayrun"):
        context["progress"] = progress()
    return context


def open_disputes(request: HttpRequest) -> int:
    return Match.objects.filter(state=State.DISPUTED).count()


def _figures() -> Iterator[dict[str, Any]]:
    matches = reverse("admin:ladder_match_changelist")
    for state, title, icon in (
        (State.DISPUTED, _("Open disputes"), "gavel"),
        (State.AWAITING_CONFIRMATION, _("Awaiting confirmation"), "hourglass_top"),
        (State.IN_PROGRESS, _("In progress"), "casino"),
    ):
        yield {
            "title": title,
            "icon": icon,
            "number": Match.objects.filter(state=state).count(),
            "url": f"{matches}?state__exact={state}",
            "urgent": state == State.DISPUTED,
        }
    yield {"title": _("Settled today"), "icon": "task_alt", "number": settled_today(), "url": f"{matches}?rated=yes"}


def settled_today() -> int:
    """How many matches settled since midnight, where midnight is each ladder's own."""
    today = Q()
    for ladder in Ladder.objects.all():
        today |= Q(ladder=ladder, settled_at__gte=_midnight(ladder.time_zone))
    return Match.objects.filter(today).count() if today else 0


def _midnight(time_zone: str) -> datetime:
    return timezone.now().astimezone(ZoneInfo(time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
