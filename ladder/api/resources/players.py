"""Players, their standings and their ranks on the boards."""

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
    """A player's standing. ``tier`` is null if the ladder has no tiers.

    ``streak`` is the number of wins in a row if positive, of losses in a row if negative.
    """

    tier: str | None
    experience: int
    peak_rating: Points
    peak_rating_display: Display
    wins: int
    losses: int
    streak: int
    last_ranked_at: datetime | None


class DecayShown(TypedDict):
    """Decay of the rating if no ranked match is played. Days are in the ladder's time zone.

    ``starts_on`` is the first day with decay, or the next one if decay is ``running``. From then on, each day costs
    ``nightly_step`` points, in a lower tier the step of that tier, until the ``floor`` is reached on ``floor_on``.
    """

    starts_on: date
    running: bool
    nightly_step: Points
    floor: Points
    floor_on: date


class LadderStanding(StandingShown):
    """A standing of one player. ``rank`` is null before the first settled match.

    ``decay`` is null if the standing cannot decay: in a tier without decay, or at the floor.
    """

    ladder: Slug
    rank: int | None
    decay: DecayShown | None


class BoardRow(StandingShown):
    """A row of the leaderboard. Equal ratings have the same rank."""

    rank: int
    username: Username


class WinsRow(TypedDict):
    """A row of the board of the week's wins. Equal numbers have the same rank."""

    rank: int
    username: Username
    wins: int


class Player(TypedDict):
    """The public data of a player."""

    username: Username
    joined_at: datetime
    standings: list[LadderStanding]


class BoardPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[BoardRow]


class WinsPage(TypedDict):
    """``since`` is the start of the week: Monday, midnight in the ladder's time zone."""

    since: datetime
    next: str | None
    previous: str | None
    results: list[WinsRow]


class Neighbourhood(TypedDict):
    """The player, and the players just above and just below."""

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
    """``standings`` are from ``ladder.queries.standings``, with ranks. ``forecasts`` are by standing id."""
    return {
        "username": account.username,
        "joined_at": account.date_joined,
        "standings": standings_shown(standings, forecasts),
    }


def standings_shown(standings: list[Any], forecasts: Mapping[int, Forecast]) -> list[LadderStanding]:
    """The standings of :func:`player_shown`."""
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
