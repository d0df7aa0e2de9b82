"""What the two players of a match hear about it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from events.points import Kind
from events.services import writing as events
from events.services.writing import DataByAccount
from ladder import event_kinds
from ladder.models import Match
from ladder.points import NotesByAccount
from ladder.rules.match_life import ConfirmedBy


class Move(NamedTuple):
    """A player's rating before and after."""

    before: Decimal
    after: Decimal


Moved = Mapping[int, Move]
"""How each player's rating moved, by the player's id."""


def tell_players(match: Match, kind: Kind, besides: NotesByAccount | None = None, **more: object) -> None:
    """Write one event to each of the two players.

    ``more`` is what it says beyond the match itself, ``besides`` what it says to one of them.
    """
    told = about(match, **more)
    events.write_events(kind, {account: {**data, **(besides or {}).get(account, {})} for account, data in told.items()})


def tell_of_ruling(match: Match, moved: Moved) -> None:
    """Tell both players that a moderator took the result away, and what that did to their ratings."""
    told = about(match, winner=None, reason=match.void_reason, ruling=match.ruling.text if match.ruling else None)
    events.write_events(event_kinds.MATCH_RULED, _with_ratings(told, moved))


def of_result(match: Match, moved: Moved) -> tuple[Kind, DataByAccount]:
    """A confirmed match: who won, and by how much each rating moved; why not, where none did."""
    kind = event_kinds.MATCH_RULED if match.confirmed_by == ConfirmedBy.MODERATOR else event_kinds.MATCH_CONFIRMED
    told = about(
        match,
        winner=match.winner_id,
        confirmed_by=match.confirmed_by,
        unrated_reason=match.unrated_reason,
        ruling=match.ruling.text if match.ruling else None,
    )
    return kind, _with_ratings(told, moved)


def about(match: Match, **more: object) -> DataByAccount:
    """The match as each player hears of it."""
    one, two = match.player_one, match.player_two
    return {
        player.pk: {
            "match": str(match.pk),
            "ladder": match.ladder.slug,
            "match_length": match.match_length,
            "origin": match.origin,
            "state": match.state,
            "opponent": opponent.pk,
            **more,
        }
        for player, opponent in ((one, two), (two, one))
    }


def _with_ratings(told: DataByAccount, moved: Moved) -> DataByAccount:
    def rating(move: Move | None) -> dict[str, str] | None:
        if move is None:
            return None
        return {"before": str(move.before), "delta": str(move.after - move.before), "after": str(move.after)}

    return {account: {**data, "rating": rating(moved.get(account))} for account, data in told.items()}
