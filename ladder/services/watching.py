"""Who else has a say, in the same transaction, when an offered match starts, comes to nothing, or must not start.

Packages above the ladder bring players together and need to know; the ladder does not know them. They register once,
when the application loads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol
from uuid import UUID

from ladder.models import Match
from ladder.rules.match_life import Cancel, Seat

News = Mapping[int, Mapping[str, object]]
"""What accounts shall hear, by their ids. It goes into the event about the match: one event locks in one order."""


class Watcher(Protocol):
    """Is called with the match row, or the account, locked; locks nothing that stands before it in the order."""

    def keep_apart(self, match: Match) -> bool:
        """Whether these two players must not meet."""

    def match_started(self, match: Match) -> None:
        """Both players have accepted."""

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> News:
        """The offer came to nothing, by one's doing or nobody's; what each shall hear besides. Writes no events."""

    def offers_shown(self, account_id: int, match_ids: Collection[UUID]) -> None:
        """An answer shows the account these offers to it."""

    def account_stopped(self, account_id: int) -> News:
        """The account was suspended or closed, and starts no match any more; what it shall hear besides."""

    def account_closed(self, account_id: int) -> None:
        """The person is gone: what only he had a use for goes with him."""


_watchers: list[Watcher] = []


def register(watcher: Watcher) -> None:
    _watchers.append(watcher)


def keep_apart(match: Match) -> bool:
    return any(watcher.keep_apart(match) for watcher in _watchers)


def match_started(match: Match) -> None:
    for watcher in _watchers:
        watcher.match_started(match)


def match_cancelled(match: Match, reason: Cancel, by: Seat | None) -> News:
    return _together([watcher.match_cancelled(match, reason, by) for watcher in _watchers])


def offers_shown(account_id: int, match_ids: Collection[UUID]) -> None:
    for watcher in _watchers:
        watcher.offers_shown(account_id, match_ids)


def account_stopped(account_id: int) -> News:
    return _together([watcher.account_stopped(account_id) for watcher in _watchers])


def account_closed(account_id: int) -> None:
    for watcher in _watchers:
        watcher.account_closed(account_id)


def _together(heard: list[News]) -> News:
    news: dict[int, dict[str, object]] = {}
    for one in heard:
        for account, more in one.items():
            news.setdefault(account, {}).update(more)
    return news
