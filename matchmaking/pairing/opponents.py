"""Which players may not meet.

Blocked players never meet. Of several tickets of one player, only one is used. The same two players do not meet again
within half an hour, unless both have waited long, and never more than three times a day, so that players cannot take
points from a friend.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from operator import attrgetter

from matchmaking.pairing.types import Ticket

REMATCH_PAUSE = 30 * 60
DAILY_LIMIT = 3
LONG_WAIT = 5 * 60


def one_per_player(tickets: Iterable[Ticket]) -> tuple[list[Ticket], list[Ticket]]:
    """The ticket of each player with the longest waiting time, by id, and the other tickets.

    Raises ``ValueError`` if two tickets have the same id.
    """
    ordered = sorted(tickets, key=attrgetter("id"))
    if len({ticket.id for ticket in ordered}) < len(ordered):
        raise ValueError("two tickets have the same id")
    counting = {ticket.player: ticket for ticket in ordered}
    if len(counting) == len(ordered):
        return ordered, []
    for ticket in reversed(ordered):
        if ticket.waiting >= counting[ticket.player].waiting:
            counting[ticket.player] = ticket
    kept = {ticket.id for ticket in counting.values()}
    return [t for t in ordered if t.id in kept], [t for t in ordered if t.id not in kept]


class Meeting(StrEnum):
    """Whether two players may meet."""

    FREE = "free"
    RELAXED = "relaxed"
    RECENT = "recent"
    BLOCKED = "blocked"


MAY_MEET = (Meeting.FREE, Meeting.RELAXED)


def meeting(one: Ticket, two: Ticket) -> Meeting:
    """Whether the two may meet. Blocks and meetings on either ticket count."""
    if two.player in one.blocked or one.player in two.blocked:
        return Meeting.BLOCKED
    in_pause = False
    for met in (one.met.get(two.player), two.met.get(one.player)):
        if met is not None:
            if met.times_today >= DAILY_LIMIT:
                return Meeting.RECENT
            in_pause = in_pause or met.seconds_ago < REMATCH_PAUSE
    if not in_pause:
        return Meeting.FREE
    return Meeting.RELAXED if one.waiting >= LONG_WAIT and two.waiting >= LONG_WAIT else Meeting.RECENT
