"""Tickets and offers for tests, made by the real services."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from events.models import EventStream
from ladder.models import Ladder, Match
from ladder.services.matches import offers, sweeps
from matchmaking.models import OfferSide, Penalty, Ticket
from matchmaking.services import tickets, waves
from tests.factories import make_ladder, make_player


def queued(player: User | None = None, *lengths: int, ladder: Ladder | None = None, waited: float = 0) -> Ticket:
    """The ticket of a player, by default a new one, who has waited this many seconds."""
    ticket, _ = tickets.join_queue(player or make_player(), ladder or make_ladder(), lengths or (5,))
    if waited:
        Ticket.objects.filter(pk=ticket.pk).update(waiting_since=timezone.now() - timedelta(seconds=waited))
    ticket.refresh_from_db()
    return ticket


def paired(one: User | None = None, two: User | None = None) -> Match:
    """A match that a wave has offered to two players. The offer is not delivered yet."""
    first, second = queued(one), queued(two)
    report = waves.pair_waiting(first.ladder)
    assert report.offers == 1
    match = Match.objects.get(offer__sides__ticket=first)
    assert {match.player_one_id, match.player_two_id} == {first.account_id, second.account_id}
    return match


def declined(player: User | None = None) -> Penalty:
    """The penalty of a player, by default a new one, who declined an offer. The other player has left the queue."""
    player = player or make_player()
    match = paired(player)
    offers.decline(match.pk, player)
    left = Ticket.objects.get(offer_sides__offer=match.pk, state=Ticket.State.WAITING)
    tickets.cancel(left.pk, left.account)
    return Penalty.objects.get(match=match)


def deliver(match: Match, player: User) -> None:
    """Deliver the offer to one of the player's clients."""
    side = OfferSide.objects.get(offer=match.pk, ticket__account=player)
    EventStream.objects.filter(account=player).update(delivered_number=side.event_number)


def expire(match: Match) -> None:
    """Let the offer expire."""
    Match.objects.filter(pk=match.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert sweeps.expire(match.pk)


def event_kinds(player: User) -> list[str]:
    """The kinds of the player's events, the oldest first."""
    return list(player.events.order_by("number").values_list("kind", flat=True))
