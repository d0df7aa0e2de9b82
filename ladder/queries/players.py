"""Players as values for the rating systems."""

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


class StandingValues(Protocol):
    """The values of a standing that rating systems need."""

    rating: Decimal
    peak_rating: Decimal
    experience: int
    wins: int
    losses: int
    memory: Mapping[str, Any]


def as_player(standing: StandingValues, ladder: Ladder, birth_year: int | None, moment: datetime | None) -> Player:
    """The player with this standing. ``moment`` is when the match ended; ``None`` if there is no such time."""
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
    """The accounts as players on the ladder, by account id.

    Those without a standing have the rating of a new player.
    """
    found = {row.player_id: row for row in Standing.objects.filter(ladder=ladder, player__in=accounts)}
    start = ladder.rules.start
    newcomer = Standing(rating=start, peak_rating=start)
    return {it.pk: as_player(found.get(it.pk, newcomer), ladder, it.birth_year, moment) for it in accounts}
