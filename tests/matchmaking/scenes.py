"""The scenes of matchmaking."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from accounts.models import Suspension, User
from accounts.services import blocks
from events.kinds import ACCOUNT_SUSPENDED
from ladder import event_kinds as ladder
from ladder.models import Match
from matchmaking.event_kinds import TICKET_CLOSED
from matchmaking.models import Penalty, Ticket
from matchmaking.services import arranged, invites, tickets
from matchmaking.services.waves import pair_waiting
from tests.accounts.scenes import suspended
from tests.factories import confirmed_match, make_ladder, make_moderator, make_player
from tests.matchmaking.queueing import declined, deliver, expire, paired, queued
from tests.scenes import ITS_OWNER, ITS_PLAYERS, PLAYERS, Address, AdminPage, Read, Scene, Scenes


def on_a_ladder(player: User) -> Scene:
    return Scene(body={"ladder": make_ladder().slug, "match_lengths": [5]})


def against_somebody(player: User) -> Scene:
    return Scene(body={"opponent": make_player().username, "ladder": make_ladder().slug, "match_length": 5})


def just_played(player: User) -> Scene:
    return Scene({"match_id": confirmed_match(player, make_player()).pk})


def waiting(player: User) -> Scene:
    return Scene({"ticket_id": queued(player).pk})


def offered(player: User) -> Scene:
    """The ticket of a player who holds an offer, and whom a penalty and a suspension keep from the next."""
    ticket = queued(player)
    queued()
    assert pair_waiting(ticket.ladder).offers == 1
    soon = timezone.now() + timedelta(hours=1)
    Penalty.objects.filter(account=player).update(until=soon)
    Suspension.objects.create(account=player, reason="x", created_by=make_moderator(), until=soon)
    return Scene({"ticket_id": ticket.pk})


def for_anybody(player: User) -> Scene:
    return Scene(body={"ladder": make_ladder().slug, "match_length": 5})


def own_invite(player: User) -> Scene:
    invite, _token = invites.create(player, make_ladder(), match_length=5)
    return Scene({"invite_id": invite.pk})


def invite_of_another(player: User) -> Scene:
    _invite, token = invites.create(make_player(), make_ladder(), match_length=5)
    return Scene(body={"token": token})


def grow(player: User) -> None:
    arranged.challenge(make_player(), player.username, make_ladder(), match_length=5)
    invites.create(player, make_ladder(), match_length=5)
    declined(player)
    Penalty.objects.update(until=F("created_at"))  # so that the player may queue again


def challenged() -> Match:
    match, _ = arranged.challenge(make_player(), make_player().username, make_ladder(), match_length=5)
    return match


def blocked(*, heard: bool) -> None:
    """Somebody blocks whom they are offered, having heard of the offer or not."""
    match = paired()
    if heard:
        deliver(match, match.player_one)
    blocks.block(match.player_one, match.player_two.username)


def unanswered() -> None:
    match = paired()
    deliver(match, match.player_one)
    expire(match)


def suspended_with_an_offer() -> None:
    suspended(account=paired().player_one)


def silent() -> None:
    ticket = queued()
    Ticket.objects.filter(pk=ticket.pk).update(seen_at=timezone.now() - timedelta(hours=1))
    assert tickets.remove_silent() == 1


SCENES = Scenes(
    addresses=[
        Address("POST /api/v1/matchmaking/tickets", PLAYERS, on_a_ladder, done=201),
        Address("GET /api/v1/matchmaking/tickets/<uuid:ticket_id>", ITS_OWNER, waiting),
        Address("DELETE /api/v1/matchmaking/tickets/<uuid:ticket_id>", ITS_OWNER, waiting),
        Address("POST /api/v1/matchmaking/tickets/<uuid:ticket_id>/heartbeat", ITS_OWNER, waiting),
        Address("POST /api/v1/challenges", PLAYERS, against_somebody, done=201),
        Address("POST /api/v1/matches/<uuid:match_id>/rematch", ITS_PLAYERS, just_played, done=201),
        Address("GET /api/v1/invites", PLAYERS),
        Address("POST /api/v1/invites", PLAYERS, for_anybody, done=201),
        Address("POST /api/v1/invites/accept", PLAYERS, invite_of_another),
        Address("DELETE /api/v1/invites/<uuid:invite_id>", ITS_OWNER, own_invite, done=204),
    ],
    reads=[
        Read("GET /api/v1/me", 2),
        Read("GET /api/v1/me", 3, waiting),
        Read("GET /api/v1/me", 3, offered),
        Read("GET /api/v1/matchmaking/tickets/<uuid:ticket_id>", 2),
        Read("GET /api/v1/matchmaking/tickets/<uuid:ticket_id>", 7, offered),
        Read("GET /api/v1/invites", 1),
        Read("GET /metrics", 5),
    ],
    grow=grow,
    admin_pages=[
        AdminPage("matchmaking_ticket_queue", "matchmaking.view_ticket"),
        AdminPage("matchmaking_offer_opponents", "matchmaking.view_offer"),
        AdminPage("matchmaking_penalty_lift", "matchmaking.lift_penalty", lambda player: [declined().pk]),
    ],
    events=[
        (ladder.MATCH_OFFERED, paired),
        (ladder.MATCH_OFFERED, challenged),
        (ladder.OFFER_DECLINED, declined),
        (ladder.OFFER_DECLINED, lambda: blocked(heard=True)),
        (ladder.OFFER_CALLED_OFF, lambda: blocked(heard=False)),
        (ladder.OFFER_EXPIRED, unanswered),
        (ladder.OFFER_CALLED_OFF, suspended_with_an_offer),
        (ACCOUNT_SUSPENDED, suspended_with_an_offer),
        (TICKET_CLOSED, silent),
    ],
)
