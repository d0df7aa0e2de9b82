"""A player's ledger."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import User
from ladder.models import RatingEntry

ORDER = ("-pk",)


def rating_entries_of(player: User) -> QuerySet[RatingEntry]:
    """The player's entries on all ladders, with all that is shown beside them, in one query."""
    return RatingEntry.objects.filter(standing__player=player).select_related(
        "standing__ladder", "match__player_one", "match__player_two", "reverses", "follows"
    )
