"""Players, their standings and their places on the boards."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, TypedDict

from accounts.models import User
from common.types import Display, Points, Slug, Username
from ladder.api.resources.types import RatingShown, points
from ladder.models import Standing
from ladder.rules.decay import Forecast
from ladder.rules.rounding import whole_points
from ladder.rules.tiers import tier_of


class StandingShown(RatingShown):
    """Where a player stands. ``streak`` counts wins upwards and losses downwards; no ``tier`` where there are none."""

    tier: str | None
    experience: int
    peak_rating: Points
    peak_rating_display: Display
    wins: int
    losses: int
    streak: int
    last_ranked_at: datetime | None


class DecayShown(TypedDict):
    """What lies ahead if no ranked match is played. Days are those of the ladder's time zone.

    ``starts_on`` is the first night that costs points, or the next one once decay is ``running``; it then costs
    ``nightly_step`` points, a lower tier's step further down, until the ``floor`` is reached on ``floor_on``.
    """

    starts_on: date
    running: bool
    nightly_step: Points
    floor: Points
    floor_on: date


class LadderStanding(StandingShown):
    """A standing of one player. There is no ``rank`` before the first settled match.

    ``decay`` is null where decay will not touch the standing: in a tier that is left alone, or on the floor.
    """

    ladder: Slug
    rank: int | None
    decay: DecayShown | None


class BoardRow(StandingShown):
    """A place on the leaderboard; equal ratings share a rank."""

    rank: int
    username: Username


class WinsRow(TypedDict):
    """A place on the board of the week's wins; equal numbers share a rank."""

    rank: int
    username: Username
    wins: int


class Player(TypedDict):
    """A player, as shown to everyone."""

    username: Username
    joined_at: datetime
    standings: list[LadderStanding]


class BoardPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[BoardRow]


class WinsPage(TypedDict):
    """``since`` is the Monday midnight, in the ladder's time zone, at which the week began."""

    since: datetime
    next: str | None
    previous: str | None
    results: list[WinsRow]


class Neighbourhood(TypedDict):
    """The player between those just above and just below."""

    results: list[BoardRow]


def standing_shown(standing: Standing) -> StandingShown:
    tier = tier_of(standing.ladder.rules.tiers, standing.rating)
    return {
        "rating": points(standing.rating),
        "rating_display": whole_points(standing.rating),
        "tier": tier.name if tier else None,
        "experience": standing.experience,
        "peak_rating": points(standing.peak_rating),
        "peak_rating_display": whole_points(standing.peak_rating),
        "wins": standing.wins,
        "losses": standing.losses,
        "streak": standing.streak,
        "last_ranked_at": standing.last_ranked_at,
    }


def board_row(standing: Standing, rank: int) -> BoardRow:
    return {"rank": rank, "username": standing.player.username, **standing_shown(standing)}


def wins_row(row: dict[str, Any], rank: int) -> WinsRow:
    return {"rank": rank, "username": row["username"], "wins": row["wins"]}


def player_shown(account: User, standings: list[Any], forecasts: Mapping[int, Forecast]) -> Player:
    """``standings`` as ``ladder.queries.standings`` gives them, each with its rank; ``forecasts`` by their ids."""
    return {
        "username": account.username,
        "joined_at": account.date_joined,
        "standings": standings_shown(standings, forecasts),
    }


def standings_shown(standings: list[Any], forecasts: Mapping[int, Forecast]) -> list[LadderStanding]:
    """As :func:`player_shown`, without the player."""
    return [
        {
            "ladder": standing.ladder.slug,
            "rank": standing.rank,
            **standing_shown(standing),
            "decay": _decay(forecasts.get(standing.pk)),
        }
        for standing in standings
    ]


def _decay(forecast: Forecast | None) -> DecayShown | None:
    if forecast is None:
        return None
    return {
        "starts_on": forecast.starts_on,
        "running": forecast.running,
        "nightly_step": points(forecast.nightly_step),
        "floor": points(forecast.floor),
        "floor_on": forecast.floor_on,
    }
