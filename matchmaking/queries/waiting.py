"""Who waits in the queue of each ladder, for how long, how uneven a match he would take by now, and why he waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from django.utils import timezone

from ladder.models import Ladder, Standing
from ladder.queries.players import as_player
from matchmaking.models import Ticket
from matchmaking.pairing.nominal import for_pairing
from matchmaking.pairing.types import Reason
from matchmaking.pairing.wave import pair
from matchmaking.pairing.window import head_start, window
from matchmaking.queries.queue import snapshot
from matchmaking.queries.tickets import waiting

# Longer queues are not paired for the sake of a page that asks every few seconds.
LONGEST_LOOKED_AT = 1_000


class Prospect(StrEnum):
    """What a wave would do with a ticket that it does not leave waiting for a reason: pair it, or not look at it."""

    PAIRED = "paired"
    LEFT_OUT = "left_out"


Outlook: TypeAlias = Prospect | Reason


@dataclass(frozen=True, slots=True)
class Waiting:
    """A ticket in the queue. ``waited`` is in seconds, ``window`` in percentage points from 50 %.

    ``outlook`` is what a wave would do with it now, or why nothing; ``None`` in a queue that is too long to try it.
    """

    ticket: Ticket
    rating: Decimal
    waited: float
    window: int
    last_seen: datetime
    outlook: Outlook | None


@dataclass(frozen=True, slots=True)
class Line:
    """A ladder's queue: how many wait on it, and those who have waited longest."""

    ladder: Ladder
    size: int
    first: list[Waiting]


def lines(most: int) -> list[Line]:
    """The queue of each ladder, with at most so many tickets of each, the longest wait first."""
    return [_line(ladder, most) for ladder in Ladder.objects.order_by("slug")]


def _line(ladder: Ladder, most: int) -> Line:
    now = timezone.now()
    queue = waiting().filter(ladder=ladder)
    tickets = list(queue.select_related("account").order_by("waiting_since", "pk")[:most])
    players = [ticket.account_id for ticket in tickets]
    standings = {it.player_id: it for it in Standing.objects.filter(ladder=ladder, player__in=players)}
    size = len(tickets) if len(tickets) < most else queue.count()
    outlooks = _outlooks(ladder) if 0 < size <= LONGEST_LOOKED_AT else None
    rules = ladder.rules
    newcomer = Standing(rating=rules.start, peak_rating=rules.start)
    first = []
    for ticket in tickets:
        standing = standings.get(ticket.account_id)
        player = as_player(standing or newcomer, ladder, None, None)
        waited = max((now - ticket.waiting_since).total_seconds(), 0.0)
        width = window(np.array([waited]), np.array([head_start(rules.system.multiplier(player))]))
        outlook = None if outlooks is None else outlooks.get(str(ticket.pk), Prospect.LEFT_OUT)
        first.append(Waiting(ticket, player.rating, waited, int(width[0]), ticket.last_seen, outlook))
    return Line(ladder, size, first)


def _outlooks(ladder: Ladder) -> dict[str, Outlook]:
    """What a wave would make of the tickets that it looks at, by their ids. Nothing is written."""
    tickets = snapshot(ladder)
    outlooks: dict[str, Outlook] = dict.fromkeys((ticket.id for ticket in tickets), Prospect.PAIRED)
    stay = pair(tickets, for_pairing(ladder.rules.system)).unmatched
    return {**outlooks, **{it.ticket.id: it.reason for it in stay}}
