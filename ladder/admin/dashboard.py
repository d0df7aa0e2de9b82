"""What the ladder shows on the first page of the admin: what waits for a moderator, and what has just happened."""

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
from common.admin.dashboard import Figure, Panel
from ladder.admin.explanations import Movement
from ladder.models import Ladder, Match, RatingEntry
from ladder.queries.decay import progress
from ladder.rules.match_life import State

MOST_ROWS = 8


def figures(request: HttpRequest) -> Iterator[Figure]:
    """How many matches wait for something."""
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


def open_disputes(request: HttpRequest) -> int:
    return Match.objects.filter(state=State.DISPUTED).count()


def settled_today() -> int:
    """How many matches settled since midnight, where midnight is each ladder's own."""
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
    return {"disputes": disputed.order_by("created_at")[:MOST_ROWS]}


def _decay(request: HttpRequest) -> dict[str, Any] | None:
    return {"progress": progress()} if staff(request).has_perm("ladder.view_decayrun") else None


def _entries(request: HttpRequest) -> dict[str, Any] | None:
    if not staff(request).has_perm("ladder.view_ratingentry"):
        return None
    newest = RatingEntry.objects.select_related("standing__player", "standing__ladder").order_by("-id")
    return {"movements": [Movement(entry, entry.standing.player, []) for entry in newest[:MOST_ROWS]]}


PANELS = (
    Panel("admin/ladder/dashboard/disputes.html", _disputes),
    Panel("admin/ladder/dashboard/decay.html", _decay),
    Panel("admin/ladder/dashboard/entries.html", _entries, column=2),
)
