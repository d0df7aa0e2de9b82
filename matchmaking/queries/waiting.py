"""The waiting tickets of each ladder, and what the next wave would do with them."""

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
from matchmaking.limits import LONGEST_FORECAST_QUEUE
from matchmaking.models import Ticket
from matchmaking.pairing.nominal import for_pairing
from matchmaking.pairing.types import Reason
from matchmaking.pairing.wave import pair
from matchmaking.pairing.window import head_start, window
from matchmaking.queries.queue import pairable_tickets
from matchmaking.queries.tickets import waiting


class WaveResult(StrEnum):
    """What a wave would do with a ticket: pair it, or leave it out. Otherwise there is a reason to wait."""

    PAIRED = "paired"
    LEFT_OUT = "left_out"


Forecast: TypeAlias = WaveResult | Reason


@dataclass(frozen=True, slots=True)
class WaitingTicket:
    """A ticket in the queue. ``waited`` is in seconds, ``window`` in percentage points from 50 %.

    ``forecast`` is what a wave would do now, or why it would do nothing; ``None`` if the queue is too long.
    """

    ticket: Ticket
    rating: Decimal
    waited: float
    window: int
    last_seen: datetime
    forecast: Forecast | None


@dataclass(frozen=True, slots=True)
class LadderQueue:
    """The queue of a ladder: the number of tickets, and the tickets that have waited longest."""

    ladder: Ladder
    size: int
    first: list[WaitingTicket]


def ladder_queues(most: int) -> list[LadderQueue]:
    """The queue of each ladder, with at most ``most`` tickets each, the longest wait first."""
    return [_ladder_queue(ladder, most) for ladder in Ladder.objects.order_by("slug")]


def _ladder_queue(ladder: Ladder, most: int) -> LadderQueue:
    now = timezone.now()
    queue = waiting().filter(ladder=ladder)
    tickets = list(queue.select_related("account").order_by("waiting_since", "pk")[:most])
    players = [ticket.account_id for ticket in tickets]
    standings = {it.player_id: it for it in Standing.objects.filter(ladder=ladder, player__in=players)}
    size = len(tickets) if len(tickets) < most else queue.count()
    forecasts = _forecasts(ladder) if 0 < size <= LONGEST_FORECAST_QUEUE else None
    rules = ladder.rules
    newcomer = Standing(rating=rules.start, peak_rating=rules.start)
    first = []
    for ticket in tickets:
        standing = standings.get(ticket.account_id)
        player = as_player(standing or newcomer, ladder, None, None)
        waited = max((now - ticket.waiting_since).total_seconds(), 0.0)
        width = window(np.array([waited]), np.array([head_start(rules.system.multiplier(player))]))
        forecast = None if forecasts is None else forecasts.get(str(ticket.pk), WaveResult.LEFT_OUT)
        first.append(WaitingTicket(ticket, player.rating, waited, int(width[0]), ticket.last_seen, forecast))
    return LadderQueue(ladder, size, first)


def _forecasts(ladder: Ladder) -> dict[str, Forecast]:
    """What a wave would do with the tickets that it can pair, by ticket id. Nothing is written."""
    tickets = pairable_tickets(ladder)
    forecasts: dict[str, Forecast] = dict.fromkeys((ticket.id for ticket in tickets), WaveResult.PAIRED)
    unmatched = pair(tickets, for_pairing(ladder.rules.system)).unmatched
    return {**forecasts, **{it.ticket.id: it.reason for it in unmatched}}
