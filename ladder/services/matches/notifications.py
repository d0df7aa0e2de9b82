"""The events that notify the two players about their match."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from events.points import Kind
from events.services import writing as events
from events.services.writing import DataByAccount
from ladder import event_kinds
from ladder.models import Match
from ladder.points import FieldsByAccount
from ladder.rules.match_life import ConfirmedBy


class RatingChange(NamedTuple):
    """A player's rating before and after."""

    before: Decimal
    after: Decimal


RatingChanges = Mapping[int, RatingChange]
"""Rating changes by player id."""


def notify_players(match: Match, kind: Kind, extra: FieldsByAccount | None = None, **fields: object) -> None:
    """Write one event for each of the two players.

    ``fields`` are fields of both events, ``extra`` those of one player's event.
    """
    data = match_data(match, **fields)
    events.write_events(kind, {account: {**own, **(extra or {}).get(account, {})} for account, own in data.items()})


def notify_void_ruling(match: Match, changes: RatingChanges) -> None:
    """Notify both players that a moderator voided the match."""
    data = match_data(match, winner=None, reason=match.void_reason, ruling=match.ruling.text if match.ruling else None)
    events.write_events(event_kinds.MATCH_RULED, _with_ratings(data, changes))


def result_event(match: Match, changes: RatingChanges) -> tuple[Kind, DataByAccount]:
    """The event of a confirmed match: the winner, and the rating changes or the reason why there are none."""
    kind = event_kinds.MATCH_RULED if match.confirmed_by == ConfirmedBy.MODERATOR else event_kinds.MATCH_CONFIRMED
    data = match_data(
        match,
        winner=match.winner_id,
        confirmed_by=match.confirmed_by,
        unrated_reason=match.unrated_reason,
        ruling=match.ruling.text if match.ruling else None,
    )
    return kind, _with_ratings(data, changes)


def match_data(match: Match, **fields: object) -> DataByAccount:
    """The data of an event about the match, by player id."""
    one, two = match.player_one, match.player_two
    return {
        player.pk: {
            "match": str(match.pk),
            "ladder": match.ladder.slug,
            "match_length": match.match_length,
            "origin": match.origin,
            "state": match.state,
            "opponent": opponent.pk,
            **fields,
        }
        for player, opponent in ((one, two), (two, one))
    }


def _with_ratings(data: DataByAccount, changes: RatingChanges) -> DataByAccount:
    def rating(change: RatingChange | None) -> dict[str, str] | None:
        if change is None:
            return None
        return {"before": str(change.before), "delta": str(change.after - change.before), "after": str(change.after)}

    return {account: {**own, "rating": rating(changes.get(account))} for account, own in data.items()}
