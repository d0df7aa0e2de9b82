"""Whether an offer has reached its player. Only then does it count to leave it unanswered, or the queue."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.utils import timezone

from ladder.models import EventStream, Match
from matchmaking.models import OfferSide


def has_accepted(side: OfferSide, match: Match) -> bool:
    return (match.one_accepted_at if side.seat == 1 else match.two_accepted_at) is not None


def has_reached(side: OfferSide, match: Match) -> bool:
    """Whether the player has accepted, the event was handed to one of his clients, or an answer showed the offer."""
    if has_accepted(side, match) or side.shown_at is not None:
        return True
    streams = EventStream.objects.filter(account=side.ticket.account_id, delivered_number__gte=side.event_number)
    return streams.exists()


def shown(account_id: int, match_ids: Collection[UUID]) -> None:
    """An answer showed the player these offers."""
    sides = OfferSide.objects.filter(is_open=True, offer__in=match_ids, ticket__account=account_id)
    sides.filter(shown_at__isnull=True).update(shown_at=timezone.now())
