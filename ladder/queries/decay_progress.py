"""How far a ladder's decay has come, and which days a pause spares."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from django.db.models import Max
from django.utils import timezone

from ladder.models import DecayPause, DecayRun, Ladder
from ladder.rules import decay
from ladder.rules.calendar import ONE_DAY, day_of


def decays(ladder: Ladder) -> bool:
    """Whether any tier of the ladder's rules decays at all."""
    return decay.floor(ladder.rules.tiers) is not None


def today(ladder: Ladder) -> date:
    """The day it is now in the ladder's time zone: the last day that is due."""
    return day_of(timezone.now(), ladder.zone)


def first_day(ladder: Ladder) -> date:
    """The first day that the ladder can charge: the one on which it was made."""
    return day_of(ladder.created_at, ladder.zone)


def next_day(ladder: Ladder) -> date:
    """The first day that is not worked off yet. Days are worked off in order, so all before it are."""
    return next_days([ladder])[ladder.pk]


def next_days(ladders: Collection[Ladder]) -> dict[int, date]:
    """``next_day`` of several ladders, by their ids, in one query."""
    worked_off = DecayRun.objects.filter(ladder__in=ladders).exclude(state=DecayRun.State.RUNNING)
    last = dict(worked_off.order_by().values_list("ladder").annotate(last=Max("day")))
    return {
        ladder.pk: last[ladder.pk] + ONE_DAY if ladder.pk in last else first_day(ladder)
        for ladder in ladders
    }  # fmt: skip


def lag_days(ladder: Ladder, following: date | None = None) -> int:
    """How many days are due and not worked off: 0 when decay is up to date, 1 in the minutes after midnight.

    ``following`` is the ladder's ``next_day``, for callers that have asked for it already.
    """
    if not decays(ladder):
        return 0
    return max((today(ladder) - (following or next_day(ladder))).days + 1, 0)


def is_paused(ladder: Ladder, day: date) -> bool:
    """Whether a declared pause spares the day."""
    return DecayPause.objects.filter(ladder=ladder, first_day__lte=day, last_day__gte=day).exists()
