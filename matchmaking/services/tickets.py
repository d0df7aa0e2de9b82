"""Tickets: into the queue, a sign of life, and out of it again."""

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
from matchmaking.models import OfferSide, Ticket
from matchmaking.queries.tickets import live_ticket, own_ticket, silence, waiting
from matchmaking.services import delivery, penalties

BATCH = 500


@transaction.atomic
def enter(account: User, ladder: Ladder, match_lengths: Iterable[int]) -> tuple[Ticket, bool]:
    """Let a player wait for a ranked match over one of these lengths; his ticket, and whether it is a new one.

    Whoever has a live ticket keeps that one. Raises ``Invalid`` for lengths that the ladder's queue does not offer,
    ``Forbidden`` for a suspended player, and ``Conflict`` during a penalty or a ranked match of his.
    """
    lengths = _checked(ladder, match_lengths)
    lock_player(account)
    if (ticket := live_ticket(account)) is not None and see(ticket).is_live:
        return ticket, False
    penalties.check_none(account)
    check_not_busy(account)
    now = timezone.now()
    return Ticket.objects.create(
        account=account, ladder=ladder, match_lengths=lengths, waiting_since=now, queued_at=now, seen_at=now,
        created_at=now,
    ), True  # fmt: skip


def see(ticket: Ticket) -> Ticket:
    """A sign of life: it keeps a live ticket in the queue. A ticket that was closed meanwhile is shown as it is."""
    now = timezone.now()
    if Ticket.objects.filter(pk=ticket.pk, state__in=Ticket.LIVE).update(seen_at=now):
        ticket.seen_at = now
    else:
        ticket.refresh_from_db()
    return ticket


def cancel(ticket_id: UUID, account: User) -> Ticket:
    """Take a player out of the queue. During an offer that has reached him, that is to decline it, with what it costs.

    Leaving and declining are a transaction each: whatever comes in between, the answer is what came of it.

    Raises ``NotFound``, and ``Conflict`` once the match has started.
    """
    ticket = own_ticket(ticket_id, account)
    if _leave(ticket):
        return ticket
    side = OfferSide.objects.filter(ticket=ticket, is_open=True).first()
    if side is not None:
        with suppress(Conflict):  # the match has just started
            delivery.give_up(side.offer_id, account)
    ticket.refresh_from_db(fields=["state", "closed_at", "seen_at", "waiting_since", "queued_at"])
    # The offer may have come to nothing a moment ago, by the other's fault, and put the ticket back.
    if ticket.is_live and not _leave(ticket):
        raise Conflict("ticket_changing", _("The ticket is just changing: try again."))
    if ticket.state == Ticket.State.MATCHED:
        raise Conflict("ticket_matched", _("The match has started: the ticket is used up."))
    return ticket


@transaction.atomic
def remove_silent(limit: int = BATCH, *, among: Collection[int] | None = None) -> int:
    """Close the waiting tickets of players who gave no sign of life for too long; how many there were.

    ``among`` keeps it to these accounts.
    """
    now = timezone.now()
    theirs = waiting() if among is None else waiting().filter(account__in=among)
    silent = list(
        theirs.filter(last_seen__lt=now - silence())
        .order_by("pk")
        .select_for_update(of=("self",), skip_locked=True)
        .values_list("pk", "account_id", "ladder__slug")[:limit]
    )
    Ticket.objects.filter(pk__in=[pk for pk, _, _ in silent]).update(state=Ticket.State.SILENT, closed_at=now)
    events.tell(
        TICKET_CLOSED,
        {account: {"ladder": slug, **ticket_news(pk, Ticket.State.SILENT)} for pk, account, slug in silent},
    )
    return len(silent)


def ticket_news(ticket_id: UUID, state: str, until: datetime | None = None) -> dict[str, object]:
    """What a player hears of his ticket; ``until`` is when he may queue again, if not at once."""
    return {
        "ticket": str(ticket_id),
        "ticket_state": state,
        "queue_again_at": events.moment(until),
    }


def _leave(ticket: Ticket) -> bool:
    """Close a ticket that waits; False when it does not, and nothing was done."""
    now = timezone.now()
    waits = Ticket.objects.filter(pk=ticket.pk, state=Ticket.State.WAITING)
    if not waits.update(state=Ticket.State.CANCELLED, closed_at=now):
        return False
    ticket.state, ticket.closed_at = Ticket.State.CANCELLED, now
    return True


def _checked(ladder: Ladder, match_lengths: Iterable[int]) -> list[int]:
    lengths = sorted(set(match_lengths))
    if not lengths:
        raise Invalid("no_match_length", _("Name at least one match length."), field="match_lengths")
    unknown = [length for length in lengths if length not in ladder.match_lengths]
    if unknown:
        raise Invalid(
            "match_length_not_offered",
            _("The queue of this ladder offers %(lengths)s points.")
            % {"lengths": ", ".join(map(str, ladder.match_lengths))},
            field="match_lengths",
        )
    return lengths
