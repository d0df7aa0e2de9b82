"""What the two players of a match hear about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from ladder.models import Event, Match
from ladder.rules.match_life import ConfirmedBy, Seat
from ladder.services import events
from ladder.services.events import Told
from ladder.services.watching import News


class Move(NamedTuple):
    """A player's rating before and after."""

    before: Decimal
    after: Decimal


Moved = Mapping[int, Move]
"""How each player's rating moved, by the player's id."""


def tell_players(match: Match, kind: Event.Kind, besides: News | None = None, **more: object) -> None:
    """Write one event to each of the two players.

    ``more`` is what it says beyond the match itself, ``besides`` what it says to one of them.
    """
    told = about(match, **more)
    events.tell(kind, {account: {**data, **(besides or {}).get(account, {})} for account, data in told.items()})


def tell_of_ruling(match: Match, moved: Moved) -> None:
    """Tell both players that a moderator took the result away, and what that did to their ratings."""
    told = about(match, winner=None, reason=match.void_reason, ruling=match.ruling_text)
    events.tell(Event.Kind.MATCH_RULED, _with_ratings(told, moved))


def of_result(match: Match, moved: Moved) -> tuple[Event.Kind, Told]:
    """A confirmed match: who won, and by how much each rating moved; why not, where none did."""
    kind = Event.Kind.MATCH_RULED if match.confirmed_by == ConfirmedBy.MODERATOR else Event.Kind.MATCH_CONFIRMED
    told = about(
        match,
        winner=username(match, 1 if match.winner_id == match.player_one_id else 2),
        confirmed_by=match.confirmed_by,
        unrated_reason=match.unrated_reason,
        ruling=match.ruling_text or None,
    )
    return kind, _with_ratings(told, moved)


def about(match: Match, **more: object) -> Told:
    """The match as each player hears of it."""
    one, two = match.player_one, match.player_two
    return {
        player.pk: {
            "match": str(match.pk),
            "ladder": match.ladder.slug,
            "match_length": match.match_length,
            "origin": match.origin,
            "state": match.state,
            "opponent": opponent.username,
            **more,
        }
        for player, opponent in ((one, two), (two, one))
    }


def moment(time: datetime | None) -> str | None:
    """A time as the API writes it."""
    return time.isoformat().replace("+00:00", "Z") if time else None


def username(match: Match, seat: Seat) -> str:
    return (match.player_one if seat == 1 else match.player_two).username


def _with_ratings(told: Told, moved: Moved) -> Told:
    def rating(move: Move | None) -> dict[str, str] | None:
        if move is None:
            return None
        return {"before": str(move.before), "delta": str(move.after - move.before), "after": str(move.after)}

    return {account: {**data, "rating": rating(moved.get(account))} for account, data in told.items()}
