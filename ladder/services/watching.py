"""Who else must act, in the same transaction, when an offered match starts or comes to nothing.

Packages above the ladder bring players together and need to know; the ladder does not know them. They register once,
when the application loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ladder.models import Match
from ladder.rules.match_life import Seat

News = Mapping[int, Mapping[str, object]]
"""What accounts shall hear, by their ids. It goes into the event about the match: one event locks in one order."""


class Watcher(Protocol):
    """Is called with the match row locked; locks nothing that stands before it in the order, and writes no events."""

    def match_started(self, match: Match) -> None:
        """Both players have accepted."""

    def match_cancelled(self, match: Match, *, declined_by: Seat | None) -> News:
        """A player declined the offer, or (``None``) its time was over; what each player shall hear besides."""


_watchers: list[Watcher] = []


def register(watcher: Watcher) -> None:
    _watchers.append(watcher)


def match_started(match: Match) -> None:
    for watcher in _watchers:
        watcher.match_started(match)


def match_cancelled(match: Match, *, declined_by: Seat | None) -> News:
    news: dict[int, dict[str, object]] = {}
    for watcher in _watchers:
        for account, more in watcher.match_cancelled(match, declined_by=declined_by).items():
            news.setdefault(account, {}).update(more)
    return news
