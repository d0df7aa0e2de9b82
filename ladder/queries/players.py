"""Players as the rating systems see them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from accounts.models import User
from ladder.models import Ladder, Standing
from ladder.rules import age
from ladder.rules.calendar import day_of
from ladder.rules.systems.system import Player


class Stands(Protocol):
    """As much of a standing as a rating system may need to know."""

    rating: Decimal
    peak_rating: Decimal
    experience: int
    wins: int
    losses: int
    memory: Mapping[str, Any]


def as_player(standing: Stands, ladder: Ladder, birth_year: int | None, moment: datetime | None) -> Player:
    """The player who stands there, at the moment when a match counts as played (``None``: it has no such time)."""
    junior = False
    if moment is not None and birth_year is not None and "is_junior" in ladder.rules.system.needs:
        junior = age.is_junior(birth_year, day_of(moment, ladder.zone))
    return Player(
        rating=standing.rating,
        experience=standing.experience,
        games=standing.wins + standing.losses,
        peak=standing.peak_rating,
        is_junior=junior,
        memory=standing.memory,
    )


def as_they_stand(ladder: Ladder, accounts: list[User], moment: datetime) -> dict[int, Player]:
    """How each account stands on the ladder, by its id; whoever has not played stands where everyone starts."""
    found = {row.player_id: row for row in Standing.objects.filter(ladder=ladder, player__in=accounts)}
    start = ladder.rules.start
    newcomer = Standing(rating=start, peak_rating=start)
    return {it.pk: as_player(found.get(it.pk, newcomer), ladder, it.birth_year, moment) for it in accounts}
