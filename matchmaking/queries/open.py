"""What waits for a player: his ticket, his offers, and the matches he plays."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.models import Match, User
from ladder.queries import matches
from ladder.rules.ranked import Origin
from matchmaking.models import Ticket
from matchmaking.services import tickets

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
