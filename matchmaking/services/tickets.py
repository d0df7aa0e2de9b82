"""Tickets: joining the queue, staying in it, and leaving it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import Conflict, Invalid
from events.services import writing as events
from ladder.models import Ladder
from ladder.services.matches.eligibility import check_not_busy, lock_player
from matchmaking.event_kinds import TICKET_CLOSED
from matchmaking.limits import TICKETS_PER_BATCH
from matchmaking.models import OfferSide, Ticket
from matchmaking.queries.tickets import live_ticket, own_ticket, silence_limit, waiting
from matchmaking.services import delivery, penalties


@transaction.atomic
def join_queue(account: User, ladder: Ladder, match_lengths: Iterable[int]) -> tuple[Ticket, bool]:
    """Put a player into the queue for a ranked match of one of these lengths. Returns the ticket, and if it is new.

    A player with a live ticket keeps it. Raises ``Invalid`` for lengths that the ladder's queue does not offer,
    ``Forbidden`` for a suspended player, and ``Conflict`` for a player with a penalty or a ranked match.
    """
    lengths = _checked(ladder, match_lengths)
    lock_player(account)
    if (ticket := live_ticket(account)) is not None and keep_alive(ticket).is_live:
        return ticket, False
    penalties.check_none(account)
    check_not_busy(account)
    now = timezone.now()
    return Ticket.objects.create(
        account=account, ladder=ladder, match_lengths=lengths, waiting_since=now, queued_at=now, seen_at=now,
        created_at=now,
    ), True  # fmt: skip


def keep_alive(ticket: Ticket) -> Ticket:
    """Keep a live ticket in the queue. If it was closed meanwhile, return it as it is now."""
    now = timezone.now()
    if Ticket.objects.filter(pk=ticket.pk, state__in=Ticket.LIVE).update(seen_at=now):
        ticket.seen_at = now
    else:
        ticket.refresh_from_db()
    return ticket


def cancel(ticket_id: UUID, account: User) -> Ticket:
    """Remove a player from the queue. An offer that was delivered is declined, with the usual penalty.

    This is several transactions. If another one changes the ticket between them, the result is the ticket's new state.

    Raises ``NotFound``, and ``Conflict`` if the match has started.
    """
    ticket = own_ticket(ticket_id, account)
    if _cancel_waiting(ticket):
        return ticket
    side = OfferSide.objects.filter(ticket=ticket, is_open=True).first()
    if side is not None:
        with suppress(Conflict):  # the match has just started
            delivery.decline_or_leave(side.offer_id, account)
    ticket.refresh_from_db(fields=["state", "closed_at", "seen_at", "waiting_since", "queued_at"])
    # The other player may just have declined the offer, which has put the ticket back into the queue.
    if ticket.is_live and not _cancel_waiting(ticket):
        raise Conflict("ticket_changing", _("The ticket is being changed: try again."))
    if ticket.state == Ticket.State.MATCHED:
        raise Conflict("ticket_matched", _("The match has started: the ticket is closed."))
    return ticket


@transaction.atomic
def remove_silent(limit: int = TICKETS_PER_BATCH, *, among: Collection[int] | None = None) -> int:
    """Close the waiting tickets (of these accounts) without a recent heartbeat. Returns how many were closed."""
    now = timezone.now()
    checked = waiting() if among is None else waiting().filter(account__in=among)
    silent = list(
        checked.filter(last_seen__lt=now - silence_limit())
        .order_by("pk")
        .select_for_update(of=("self",), skip_locked=True)
        .values_list("pk", "account_id", "ladder__slug")[:limit]
    )
    Ticket.objects.filter(pk__in=[pk for pk, _, _ in silent]).update(state=Ticket.State.SILENT, closed_at=now)
    events.write_events(
        TICKET_CLOSED,
        {account: {"ladder": slug, **ticket_event_data(pk, Ticket.State.SILENT)} for pk, account, slug in silent},
    )
    return len(silent)


def ticket_event_data(ticket_id: UUID, state: str, until: datetime | None = None) -> dict[str, object]:
    """The fields about a ticket in an event. ``until`` is when the player can join the queue again, if not now."""
    return {
        "ticket": str(ticket_id),
        "ticket_state": state,
        "queue_again_at": events.iso_time(until),
    }


def _cancel_waiting(ticket: Ticket) -> bool:
    """Close a ticket that is waiting. False, without a change, if it is not."""
    now = timezone.now()
    waiting_ticket = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.WAITING)
    if not waiting_ticket.update(state=Ticket.State.CANCELLED, closed_at=now):
        return False
    ticket.state, ticket.closed_at = Ticket.State.CANCELLED, now
    return True


def _checked(ladder: Ladder, match_lengths: Iterable[int]) -> list[int]:
    lengths = sorted(set(match_lengths))
    if not lengths:
        raise Invalid("no_match_length", _("Choose at least one match length."), field="match_lengths")
    unknown = [length for length in lengths if length not in ladder.match_lengths]
    if unknown:
        raise Invalid(
            "match_length_not_offered",
            _("The queue of this ladder offers %(lengths)s points.")
            % {"lengths": ", ".join(map(str, ladder.match_lengths))},
            field="match_lengths",
        )
    return lengths
