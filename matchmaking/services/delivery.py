"""Whether an offer has reached its player. Only then does it count to leave it unanswered, or the queue."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from events.models import EventStream
from ladder.models import Match
from ladder.services.matches import offers
from matchmaking.models import OfferSide


def has_accepted(side: OfferSide, match: Match) -> bool:
    return (match.one_accepted_at if side.seat == 1 else match.two_accepted_at) is not None


def has_reached(side: OfferSide, match: Match) -> bool:
    """Whether the player has accepted, the event was handed to one of his clients, or an answer showed the offer."""
    if has_accepted(side, match) or side.shown_at is not None:
        return True
    streams = EventStream.objects.filter(account=side.ticket.account_id, delivered_number__gte=side.event_number)
    return streams.exists()


def give_up(match_id: UUID, account: User) -> None:
    """A player lets an offer go: he declines it, or leaves before he can have heard of it.

    Raises ``Conflict`` when the match has started.
    """
    side = (
        OfferSide.objects.select_related("ticket", "offer__match")
        .filter(offer=match_id, is_open=True, ticket__account=account)
        .first()
    )
    if side is None or has_reached(side, side.offer.match):
        offers.decline(match_id, account)
    else:
        offers.withdraw(match_id, account)


def shown(account_id: int, match_ids: Collection[UUID]) -> None:
    """An answer showed the player these offers."""
    sides = OfferSide.objects.filter(is_open=True, offer__in=match_ids, ticket__account=account_id)
    sides.filter(shown_at__isnull=True).update(shown_at=timezone.now())
