"""What happens to an offer and its two tickets when the match starts or is cancelled.

The ladder changes the match and calls this in the same transaction, with the match locked.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.points import AccountListener, EventFields
from accounts.queries import suspensions
from common.errors import Conflict
from ladder.models import Match
from ladder.points import FieldsByAccount, MatchListener
from ladder.rules.match_life import Cancel, Seat, State
from ladder.services.matches import offers
from matchmaking.cooldowns import Fault
from matchmaking.limits import MAX_REMOVE_ATTEMPTS
from matchmaking.models import Invite, Offer, OfferSide, Ticket
from matchmaking.services import delivery, penalties
from matchmaking.services.tickets import ticket_event_data


class QueueMatchListener(MatchListener):
    """Updates tickets and offers when a match starts or is cancelled."""

    def match_started(self, match: Match) -> None:
        """Close both tickets. If the match is ranked but not from the queue, close the tickets of its players."""
        now = timezone.now()
        if sides := _close_offer(match, Offer.Outcome.STARTED):
            tickets = Ticket.objects.filter(pk__in=[side.ticket_id for side in sides])
            tickets.update(state=Ticket.State.MATCHED, closed_at=now)
        elif match.is_rated:
            waiting = Ticket.objects.filter(account__in=(match.player_one_id, match.player_two_id), state="waiting")
            locked = list(waiting.order_by("pk").select_for_update().values_list("pk", flat=True))
            Ticket.objects.filter(pk__in=locked).update(state=Ticket.State.STOPPED, closed_at=now)

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> FieldsByAccount:
        """Close the ticket of a player at fault. Put the other back into the queue, with its waiting time."""
        sides = _close_offer(match, _OUTCOMES[reason])
        return {side.ticket.account_id: _update_ticket(match, side, reason, by) for side in sides}

    def offers_shown(self, account_id: int, match_ids: Collection[UUID]) -> None:
        """From now on, not answering one of these offers counts as a fault."""
        delivery.record_shown(account_id, match_ids)


class QueueAccountListener(AccountListener):
    """Removes accounts that cannot play from the queue."""

    def stopped(self, account_id: int) -> EventFields:
        """Close the ticket. An offer to the account is called off, without a penalty."""
        ticket = Ticket.objects.filter(account=account_id, state__in=Ticket.LIVE).first()
        if ticket is None or not _remove_from_queue(ticket):
            return {}
        return _stopped_data(ticket)

    def closing(self, account: User) -> None:
        """Delete the account's unused invites."""
        Invite.objects.filter(account=account, match__isnull=True).delete()

    def blocked(self, account: User, other: User) -> None:
        """Decline the open offers between the two, on behalf of the player who blocked."""
        between = Q(player_one=account, player_two=other) | Q(player_one=other, player_two=account)
        for match_id in list(Match.objects.filter(between, state=State.OFFERED).values_list("pk", flat=True)):
            with suppress(Conflict):  # the match has started or was cancelled meanwhile
                delivery.decline_or_leave(match_id, account)


_OUTCOMES = {
    Cancel.DECLINED: Offer.Outcome.DECLINED,
    Cancel.OFFER_EXPIRED: Offer.Outcome.EXPIRED,
    Cancel.CALLED_OFF: Offer.Outcome.CALLED_OFF,
}


def _close_offer(match: Match, outcome: Offer.Outcome) -> list[OfferSide]:
    """Close the offer of the match, if it has one. Returns its sides, with their tickets locked."""
    now = timezone.now()
    if not Offer.objects.filter(match=match, outcome=Offer.Outcome.OPEN).update(outcome=outcome, closed_at=now):
        return []
    list(Ticket.objects.filter(offer_sides__offer_id=match.pk).order_by("pk").select_for_update(of=("self",)))
    sides = list(OfferSide.objects.filter(offer_id=match.pk).select_related("ticket").order_by("seat"))
    for side in sides:
        side.is_open, side.delivered = False, delivery.is_delivered(side, match)
    OfferSide.objects.bulk_update(sides, ["is_open", "delivered"])
    return sides


def _update_ticket(match: Match, side: OfferSide, reason: Cancel, by: Seat | None) -> dict[str, object]:
    """Update a ticket whose offer was cancelled. Returns the fields for the player's event."""
    if side.seat == by:
        # The offer may have been delivered after the player asked to leave.
        if reason == Cancel.DECLINED or side.delivered:
            return _penalize(match, side.ticket, Fault.DECLINED)
        return _close_ticket(side.ticket, Ticket.State.CANCELLED)
    # No penalty for an offer that was not delivered.
    if reason == Cancel.OFFER_EXPIRED and side.delivered and not delivery.has_accepted(side, match):
        return _penalize(match, side.ticket, Fault.UNANSWERED)
    if suspensions.is_any_suspended(side.ticket.account_id):
        _close_ticket(side.ticket, Ticket.State.STOPPED)
        return _stopped_data(side.ticket)
    return _requeue(side)


def _penalize(match: Match, ticket: Ticket, fault: Fault) -> dict[str, object]:
    penalty = penalties.record(ticket.account_id, match, fault)
    state = Ticket.State.DECLINED if fault == Fault.DECLINED else Ticket.State.UNANSWERED
    Ticket.objects.filter(pk=ticket.pk).update(state=state, closed_at=penalty.created_at)
    until = penalty.until if penalty.until > penalty.created_at else None
    return ticket_event_data(ticket.pk, state, until)


def _requeue(side: OfferSide) -> dict[str, object]:
    """Put the ticket back into the queue. If the offer was not delivered, it is paired after the next heartbeat."""
    ticket, now = side.ticket, timezone.now()
    seen_at = now if side.delivered else ticket.seen_at
    Ticket.objects.filter(pk=ticket.pk).update(state=Ticket.State.WAITING, queued_at=now, seen_at=seen_at)
    return ticket_event_data(ticket.pk, Ticket.State.WAITING)


def _close_ticket(ticket: Ticket, state: Ticket.State) -> dict[str, object]:
    Ticket.objects.filter(pk=ticket.pk).update(state=state, closed_at=timezone.now())
    return ticket_event_data(ticket.pk, state)


def _stopped_data(ticket: Ticket) -> dict[str, object]:
    suspension = suspensions.in_force().filter(account=ticket.account_id).first()
    return ticket_event_data(ticket.pk, Ticket.State.STOPPED, suspension.until if suspension else None)


def _remove_from_queue(ticket: Ticket) -> bool:
    """Close a live ticket, or call off its offer. False if the match has started, or cannot be called off."""
    for _attempt in range(MAX_REMOVE_ATTEMPTS):
        # This waits for a wave that has locked the ticket, and then finds the offer.
        if _stop_waiting(ticket):
            return True
        if side := OfferSide.objects.filter(is_open=True, ticket=ticket).first():
            offers.cancel_if_not_allowed(side.offer_id)
        ticket.refresh_from_db(fields=["state"])
        if not ticket.is_live:
            break
    return ticket.state == Ticket.State.STOPPED


def _stop_waiting(ticket: Ticket) -> bool:
    waiting = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.WAITING)
    return waiting.update(state=Ticket.State.STOPPED, closed_at=timezone.now()) > 0
