"""What waits for a player: his ticket, his offers, and the matches he plays; and what keeps him from the queue."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ladder.models import Match, User
from ladder.queries import matches
from ladder.rules.ranked import Origin
from matchmaking.models import Ticket
from matchmaking.services import penalties, tickets

# An offer may come or go between two looks; hardly between all of them.
LOOKS = 3


@dataclass(frozen=True, slots=True)
class Open:
    """A live ticket, if there is one, open offers, and matches that have started; the newest first."""

    ticket: Ticket | None
    offers: list[Match]
    matches: list[Match]

    @property
    def fits_together(self) -> bool:
        is_offered = self.ticket is not None and self.ticket.state == Ticket.State.OFFERED
        return is_offered == any(match.origin == Origin.MATCHMAKING for match in self.offers)


def open_of(account: User) -> Open:
    """What waits for the player, as it was at one moment."""
    for _look in range(LOOKS):
        found = Open(tickets.live_ticket(account), *matches.open_matches(account))
        if found.fits_together:
            break
    return found


def queue_again_at(account: User, *, suspended: bool, until: datetime | None) -> datetime | None:
    """When neither a penalty nor a suspension keeps the player out of the queue any more; ``None``: now, or never.

    The caller knows whether he is suspended, and ``until`` when (``None``: for good).
    """
    if suspended and until is None:
        return None
    penalty = penalties.in_force(account)
    return max((end for end in (until, penalty.until if penalty else None) if end is not None), default=None)
