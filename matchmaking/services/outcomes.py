"""What becomes of an offer, and of the two tickets behind it.

The ladder runs the match (accept, decline, expiry) and calls here in the same transaction, with the match locked.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.points import AccountListener, Notes
from accounts.queries import suspensions
from common.errors import Conflict
from ladder.models import Match
from ladder.points import FieldsByAccount, MatchListener
from ladder.rules.match_life import Cancel, Seat, State
from ladder.services.matches import offers
from matchmaking.cooldowns import Fault
from matchmaking.models import Invite, Offer, OfferSide, Ticket
from matchmaking.services import delivery, penalties
from matchmaking.services.tickets import ticket_news

# An offer that ends may put a ticket back between two looks; hardly between all of them.
LOOKS = 3


class QueuedMatches(MatchListener):
    """Keeps tickets and offers in step with the matches that matchmaking offered."""

    def match_started(self, match: Match) -> None:
        """Both tickets have served their purpose; nobody waits for another ranked match while they play one."""
        now = timezone.now()
        if sides := _close(match, Offer.Outcome.STARTED):
            tickets = Ticket.objects.filter(pk__in=[side.ticket_id for side in sides])
            tickets.update(state=Ticket.State.MATCHED, closed_at=now)
        elif match.is_rated:
            waits = Ticket.objects.filter(account__in=(match.player_one_id, match.player_two_id), state="waiting")
            held = list(waits.order_by("pk").select_for_update().values_list("pk", flat=True))
            Ticket.objects.filter(pk__in=held).update(state=Ticket.State.STOPPED, closed_at=now)

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> FieldsByAccount:
        """Whoever is at fault leaves the queue; the other goes back to the front, with all their waiting time."""
        return {side.ticket.account_id: _after(match, side, reason, by) for side in _close(match, _OUTCOMES[reason])}

    def offers_shown(self, account_id: int, match_ids: Collection[UUID]) -> None:
        """From now on, to leave one of them unanswered counts."""
        delivery.shown(account_id, match_ids)


class QueuedAccounts(AccountListener):
    """Takes accounts that may not play out of the queue."""

    def stopped(self, account_id: int) -> Notes:
        """The ticket is closed; an offer to the account is called off, at nobody's cost."""
        ticket = Ticket.objects.filter(account=account_id, state__in=Ticket.LIVE).first()
        if ticket is None or not _take_out(ticket):
            return {}
        return _stopped_news(ticket)

    def closing(self, account: User) -> None:
        """Nobody can take up the account's invites any more."""
        Invite.objects.filter(account=account, match__isnull=True).delete()

    def blocked(self, account: User, other: User) -> None:
        """Whoever blocks the player whom they are offered has declined the offer."""
        between = Q(player_one=account, player_two=other) | Q(player_one=other, player_two=account)
        for match_id in list(Match.objects.filter(between, state=State.OFFERED).values_list("pk", flat=True)):
            with suppress(Conflict):  # it has started or ended meanwhile
                delivery.give_up(match_id, account)


_OUTCOMES = {
    Cancel.DECLINED: Offer.Outcome.DECLINED,
    Cancel.OFFER_EXPIRED: Offer.Outcome.EXPIRED,
    Cancel.CALLED_OFF: Offer.Outcome.CALLED_OFF,
}


def _close(match: Match, outcome: Offer.Outcome) -> list[OfferSide]:
    """Close the offer behind the match, if matchmaking made it; its sides, with their tickets locked."""
    now = timezone.now()
    if not Offer.objects.filter(match=match, outcome=Offer.Outcome.OPEN).update(outcome=outcome, closed_at=now):
        return []
    list(Ticket.objects.filter(offer_sides__offer_id=match.pk).order_by("pk").select_for_update(of=("self",)))
    sides = list(OfferSide.objects.filter(offer_id=match.pk).select_related("ticket").order_by("seat"))
    for side in sides:
        side.is_open, side.reached = False, delivery.has_reached(side, match)
    OfferSide.objects.bulk_update(sides, ["is_open", "reached"])
    return sides


def _after(match: Match, side: OfferSide, reason: Cancel, by: Seat | None) -> dict[str, object]:
    """What becomes of a ticket whose offer came to nothing, and what its player hears of it."""
    if side.seat == by:
        # He may have heard of it since he asked to leave.
        if reason == Cancel.DECLINED or side.reached:
            return _punish(match, side.ticket, Fault.DECLINED)
        return _end(side.ticket, Ticket.State.CANCELLED)
    # Nobody answers for an offer that never reached him.
    if reason == Cancel.OFFER_EXPIRED and side.reached and not delivery.has_accepted(side, match):
        return _punish(match, side.ticket, Fault.UNANSWERED)
    if suspensions.is_any_suspended(side.ticket.account_id):
        _end(side.ticket, Ticket.State.STOPPED)
        return _stopped_news(side.ticket)
    return _put_back(side)


def _punish(match: Match, ticket: Ticket, fault: Fault) -> dict[str, object]:
    penalty = penalties.record(ticket.account_id, match, fault)
    state = Ticket.State.DECLINED if fault == Fault.DECLINED else Ticket.State.UNANSWERED
    Ticket.objects.filter(pk=ticket.pk).update(state=state, closed_at=penalty.created_at)
    until = penalty.until if penalty.until > penalty.created_at else None
    return ticket_news(ticket.pk, state, until)


def _put_back(side: OfferSide) -> dict[str, object]:
    """Into the queue again. Who was reached is there; who was not is paired after his next sign of life."""
    ticket, now = side.ticket, timezone.now()
    seen_at = now if side.reached else ticket.seen_at
    Ticket.objects.filter(pk=ticket.pk).update(state=Ticket.State.WAITING, queued_at=now, seen_at=seen_at)
    return ticket_news(ticket.pk, Ticket.State.WAITING)


def _end(ticket: Ticket, state: Ticket.State) -> dict[str, object]:
    Ticket.objects.filter(pk=ticket.pk).update(state=state, closed_at=timezone.now())
    return ticket_news(ticket.pk, state)


def _stopped_news(ticket: Ticket) -> dict[str, object]:
    suspension = suspensions.in_force().filter(account=ticket.account_id).first()
    return ticket_news(ticket.pk, Ticket.State.STOPPED, suspension.until if suspension else None)


def _take_out(ticket: Ticket) -> bool:
    """Close a live ticket, or call its offer off; False where the match has started, or nothing keeps it from that."""
    for _look in range(LOOKS):
        # A wave may hold the ticket just now: this waits for it, and then finds the offer.
        if _stop(ticket):
            return True
        if side := OfferSide.objects.filter(is_open=True, ticket=ticket).first():
            offers.cancel_if_not_allowed(side.offer_id)
        ticket.refresh_from_db(fields=["state"])
        if not ticket.is_live:
            break
    return ticket.state == Ticket.State.STOPPED


def _stop(ticket: Ticket) -> bool:
    waits = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.WAITING)
    return waits.update(state=Ticket.State.STOPPED, closed_at=timezone.now()) > 0
