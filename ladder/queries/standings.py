"""The standings of a player."""

from __future__ import annotations

from django.db.models import Case, Count, F, IntegerField, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from accounts.models import User
from ladder.models import Standing


def standings_of(account: User) -> QuerySet[Standing]:
    """The player's standings, each with its ``rank``; ``None`` before the first settled match."""
    better = (
        Standing.objects.filter(ladder=OuterRef("ladder"), last_ranked_at__isnull=False, rating__gt=OuterRef("rating"))
        .order_by()
        .values("ladder")
        .annotate(better=Count("pk"))
        .values("better")
    )
    rank = Case(
        When(last_ranked_at__isnull=False, then=Coalesce(Subquery(better), 0) + 1),
        default=None,
        output_field=IntegerField(null=True),
    )
    return (
        Standing.objects.filter(player=account)
        .select_related("ladder")
        .annotate(rank=rank, ladder_slug=F("ladder__slug"))
        .order_by("ladder_slug")
    )
