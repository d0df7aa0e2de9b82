"""Checking the runs of decay: their totals must be those of the decay entries."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from django.db.models import Count, F, Sum

from ladder.models import DecayRun, Ladder, RatingEntry
from ladder.services.verification.drift import Drift, scope

_NOTHING = (0, Decimal(0))


def check_decay_runs(ladder: Ladder | None, found: Callable[[Drift], object]) -> None:
    """Check the decay runs of one ladder, or all."""
    taken = {
        (slug, day): (standings, -points)
        for slug, day, standings, points in RatingEntry.objects.filter(
            kind=RatingEntry.Kind.DECAY, **scope(ladder, "standing__ladder")
        )
        .values_list("standing__ladder__slug", "day")
        .annotate(standings=Count("pk"), points=Sum("delta"))
    }
    runs = DecayRun.objects.filter(**scope(ladder, "ladder")).order_by("ladder", "day").annotate(slug=F("ladder__slug"))
    for run in runs:
        tiers = run.by_tier.values()
        by_tier = sum(tier["standings"] for tier in tiers), sum((Decimal(tier["points"]) for tier in tiers), Decimal(0))
        computed = taken.pop((run.slug, run.day), _NOTHING)
        for counted, who in (((run.standings, run.points), "the run has"), (by_tier, "the tiers of the run have")):
            if counted != computed:
                found(Drift(f"{run.slug} on {run.day}", f"{who} {_text(counted)}, the ledger gives {_text(computed)}"))
    for (slug, day), total in taken.items():
        found(Drift(f"{slug} on {day}", f"there is no run, the ledger gives {_text(total)}"))


def _text(taken: tuple[int, Decimal]) -> str:
    return f"{taken[1]} points of {taken[0]} standings"
