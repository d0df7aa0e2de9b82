"""Leaderboards.

A rank is one more than the number of better players, so equal players have the same rank (1, 2, 2, 4). A leaderboard
lists all players with a settled ranked match on the ladder.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import NotFound
from common.keyset import Position, page
from ladder.models import Ladder, Match, Standing
from ladder.rules.tiers import rating_band

ORDER = ("-rating", "pk")
MOST_WINS_ORDER = ("-wins", "winner_id")


def ranked(ladder: Ladder) -> QuerySet[Standing]:
    return Standing.objects.filter(ladder=ladder, last_ranked_at__isnull=False).select_related("player", "ladder")


def in_tier(standings: QuerySet[Standing], ladder: Ladder, tier: str) -> QuerySet[Standing]:
    """The standings in the named tier. Raises ``NotFound`` if the ladder has no such tier."""
    try:
        lower, upper = rating_band(ladder.rules.tiers, tier)
    except KeyError:
        raise NotFound("tier_not_found", _("The ladder has no such tier."), field="tier") from None
    if lower is not None:
        standings = standings.filter(rating__gte=lower)
    return standings if upper is None else standings.filter(rating__lt=upper)


def ranks(ladder: Ladder, standings: Sequence[Standing]) -> list[int]:
    """The ranks of standings that are next to each other on the leaderboard."""
    if not standings:
        return []
    first = standings[0]
    counted = ranked(ladder).aggregate(
        better=Count("pk", filter=Q(rating__gt=first.rating)),
        equal_before=Count("pk", filter=Q(rating=first.rating, pk__lt=first.pk)),
    )
    return _ranks([row.rating for row in standings], counted["better"], counted["equal_before"])


def around(ladder: Ladder, player: User, each_side: int) -> list[Standing]:
    """The player's standing with those directly above and below. Raises ``NotFound`` if the player is not ranked."""
    standings = ranked(ladder)
    own = standings.filter(player=player).first()
    if own is None:
        raise NotFound("not_ranked", _("You have no settled ranked match on this ladder yet."))
    place = (own.rating, own.pk)
    above = page(standings, ORDER, size=each_side, position=Position(place, backwards=True)).rows
    below = page(standings, ORDER, size=each_side, position=Position(place)).rows
    return [*above, own, *below]


def week_start(ladder: Ladder, now: datetime) -> datetime:
    """The latest Monday midnight in the ladder's time zone."""
    zone = ZoneInfo(ladder.time_zone)
    today = now.astimezone(zone).date()
    return datetime.combine(today - timedelta(days=today.weekday()), time(), zone)


def most_wins(ladder: Ladder, since: datetime) -> QuerySet[Any, dict[str, Any]]:
    """The number of settled matches since then by winner, as ``winner_id``, ``username`` and ``wins``."""
    wins = (
        # A match settles after its end, so the first condition is only for the index.
        Match.objects.filter(ladder=ladder, settled_at__gte=since, finished_at__gte=since)
        .order_by()
        .values("winner_id", username=F("winner__username"))
        .annotate(wins=Count("pk"))
    )
    return cast("QuerySet[Any, dict[str, Any]]", wins)


def most_wins_ranks(board: QuerySet[Any, dict[str, Any]], rows: Sequence[dict[str, Any]]) -> list[int]:
    """The ranks of rows that are next to each other in the list of most wins."""
    if not rows:
        return []
    wins, winner = rows[0]["wins"], rows[0]["winner_id"]
    better = board.filter(wins__gt=wins).count()
    equal_before = board.filter(wins=wins, winner_id__lt=winner).count()
    return _ranks([row["wins"] for row in rows], better, equal_before)


def _ranks(values: Sequence[Decimal | int], better: int, equal_before: int) -> list[int]:
    numbers = []
    for place, value in enumerate(values):
        if place == 0:
            numbers.append(better + 1)
        else:
            tied = value == values[place - 1]
            numbers.append(numbers[-1] if tied else better + equal_before + place + 1)
    return numbers
