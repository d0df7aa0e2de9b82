"""Whether an offer was delivered to its player. Only then is there a penalty for not answering it."""

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


def is_delivered(side: OfferSide, match: Match) -> bool:
    """Whether the player has accepted, a client has received the event, or an answer has shown the offer."""
    if has_accepted(side, match) or side.shown_at is not None:
        return True
    streams = EventStream.objects.filter(account=side.ticket.account_id, delivered_number__gte=side.event_number)
    return streams.exists()


def decline_or_leave(match_id: UUID, account: User) -> None:
    """Decline an offer that was delivered; leave one that was not, without a penalty.

    Raises ``Conflict`` if the match has started.
    """
    side = (
        OfferSide.objects.select_related("ticket", "offer__match")
        .filter(offer=match_id, is_open=True, ticket__account=account)
        .first()
    )
    if side is None or is_delivered(side, side.offer.match):
        offers.decline(match_id, account)
    else:
        offers.withdraw(match_id, account)


def record_shown(account_id: int, match_ids: Collection[UUID]) -> None:
    """Record that an answer has shown these offers to the player."""
    sides = OfferSide.objects.filter(is_open=True, offer__in=match_ids, ticket__account=account_id)
    sides.filter(shown_at__isnull=True).update(shown_at=timezone.now())
