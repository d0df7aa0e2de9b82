"""The ladder's part of ``/me``: the player's standings, open offers and open matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from accounts.models import User
from accounts.points import MePart
from ladder.api.resources.matches import MatchShown, fetched_match
from ladder.api.resources.players import LadderStanding, standings_shown
from ladder.points import LISTENERS
from ladder.queries import decay, matches, standings


class Open(TypedDict):
    """Open offers and matches of the player, the newest first."""

    offers: list[MatchShown]
    matches: list[MatchShown]


class Play(TypedDict):
    """``standings``: one for each ladder that the player has played on."""

    standings: list[LadderStanding]
    open: Open


def play(account: User, answer: Mapping[str, Any]) -> Play:
    rows = list(standings.standings_of(account))
    offers, started = matches.open_matches(account)
    return {
        "standings": standings_shown(rows, decay.forecasts(rows)),
        "open": {
            "offers": [fetched_match(match, account) for match in offers],
            "matches": [fetched_match(match, account) for match in started],
        },
    }


def seen(account: User, answer: Mapping[str, Any]) -> None:
    """The response contains these offers, so they count as delivered."""
    if offers := [offer["id"] for offer in answer["open"]["offers"]]:
        for listener in LISTENERS:
            listener.offers_shown(account.pk, offers)


PLAY = MePart(Play, play, seen)
