"""What becomes of an offer, and of the two tickets behind it.

The ladder runs the match (accept, decline, expiry) and calls here in the same transaction, with the match locked.
"""

from __future__ import annotations

from django.utils import timezone

from ladder.models import EventStream, Match, User
from ladder.rules.match_life import Seat
from ladder.services.watching import News
from matchmaking.cooldowns import Fault
from matchmaking.models import Offer, OfferSide, Ticket
from matchmaking.services import penalties
from matchmaking.services.tickets import ticket_news


class OfferWatcher:
    """Keeps tickets and offers in step with the matches that matchmaking offered."""

    def match_started(self, match: Match) -> None:
        """Both tickets have served their purpose."""
        if sides := _close(match, Offer.Outcome.STARTED):
            tickets = Ticket.objects.filter(pk__in=[side.ticket_id for side in sides])
            tickets.update(state=Ticket.State.MATCHED, closed_at=timezone.now())

    def match_cancelled(self, match: Match, *, declined_by: Seat | None) -> News:
        """Whoever is at fault leaves the queue; the other goes back to the front, with all his waiting time."""
        sides = _close(match, Offer.Outcome.DECLINED if declined_by else Offer.Outcome.EXPIRED)
        news = {}
        for side in sides:
            fault = _fault(match, side, declined_by)
            news[side.ticket.account_id] = _punish(match, side.ticket, fault) if fault else _put_back(side.ticket)
        return news


WATCHER = OfferWatcher()


def shown(account: User) -> None:
    """The player's open offer was shown to him: from now on, to leave it unanswered counts."""
    sides = OfferSide.objects.filter(is_open=True, ticket__account=account, shown_at__isnull=True)
    sides.update(shown_at=timezone.now())


def _close(match: Match, outcome: Offer.Outcome) -> list[OfferSide]:
    """Close the offer behind the match, if matchmaking made it; its sides, with their tickets locked."""
    now = timezone.now()
    if not Offer.objects.filter(match=match, outcome=Offer.Outcome.OPEN).update(outcome=outcome, closed_at=now):
        return []
    list(Ticket.objects.filter(offer_sides__offer_id=match.pk).order_by("pk").select_for_update(of=("self",)))
    sides = list(OfferSide.objects.filter(offer_id=match.pk).select_related("ticket"))
    OfferSide.objects.filter(offer_id=match.pk).update(is_open=False)
    return sides


def _fault(match: Match, side: OfferSide, declined_by: Seat | None) -> Fault | None:
    if declined_by:
        return Fault.DECLINED if side.seat == declined_by else None
    accepted = match.one_accepted_at if side.seat == 1 else match.two_accepted_at
    if accepted:
        return None
    # Nobody answers for an offer that never reached him.
    return Fault.UNANSWERED if _delivered(side) else None


def _delivered(side: OfferSide) -> bool:
    streams = EventStream.objects.filter(account=side.ticket.account_id, delivered_number__gte=side.event_number)
    return side.shown_at is not None or streams.exists()


def _punish(match: Match, ticket: Ticket, fault: Fault) -> dict[str, object]:
    penalty = penalties.record(ticket.account_id, match, fault)
    state = Ticket.State.DECLINED if fault == Fault.DECLINED else Ticket.State.UNANSWERED
    Ticket.objects.filter(pk=ticket.pk).update(state=state, closed_at=penalty.created_at)
    until = penalty.until if penalty.until > penalty.created_at else None
    return ticket_news(ticket.pk, state, until)


def _put_back(ticket: Ticket) -> dict[str, object]:
    Ticket.objects.filter(pk=ticket.pk).update(state=Ticket.State.WAITING, queued_at=timezone.now())
    return ticket_news(ticket.pk, Ticket.State.WAITING)
