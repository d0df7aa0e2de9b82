"""Who gets which answer from every address there is. A new address without a row fails the test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import ServiceKey
from ladder.models import Match
from matchmaking.models import Invite, Ticket
from matchmaking.services import invites
from tests.api import clients
from tests.factories import (
    awaiting_match,
    confirmed_match,
    make_moderator,
    make_player,
    make_service_key,
    offered_match,
    player_of,
    started_match,
)
from tests.matchmaking.queueing import queued

CALLERS = ("anonymous", "player", "other player", "game server", "without scope", "moderator", "superuser")

EVERYONE = (200, 200, 200, 200, 200, 200, 200)
TO_THE_DOCUMENTATION = (302, 302, 302, 302, 302, 302, 302)
SIGNED_IN = (401, 200, 200, 401, 401, 200, 200)
CLOSES = (401, 204, 204, 401, 401, 204, 204)
# Moderators rule matches in the admin; they do not play for others.
ITS_PLAYERS = (401, 200, 403, 401, 401, 403, 403)
ON_THE_BOARD = (401, 200, 404, 401, 401, 404, 404)
QUEUES = (401, 201, 201, 401, 401, 201, 201)
ITS_OWNER = (401, 200, 404, 401, 401, 404, 404)
GAME_SERVERS = (401, 401, 401, 200, 403, 401, 401)

MATRIX = {
    "GET /api/v1/me": SIGNED_IN,
    "PATCH /api/v1/me": SIGNED_IN,
    "DELETE /api/v1/me": CLOSES,
    "GET /api/v1/ladders": EVERYONE,
    "GET /api/v1/ladders/<slug:slug>": EVERYONE,
    "GET /api/v1/ladders/<slug:slug>/leaderboard": EVERYONE,
    "GET /api/v1/ladders/<slug:slug>/leaderboard/around-me": ON_THE_BOARD,
    "GET /api/v1/ladders/<slug:slug>/leaderboard/most-wins": EVERYONE,
    "POST /api/v1/ladders/<slug:slug>/preview": EVERYONE,
    "GET /api/v1/rule-sets": EVERYONE,
    "POST /api/v1/rule-sets/<slug:name>/preview": EVERYONE,
    "GET /api/v1/players/<str:username>": EVERYONE,
    "GET /api/v1/players/<str:username>/rating-entries": EVERYONE,
    "GET /api/v1/players/<str:username>/matches": EVERYONE,
    "GET /api/v1/matches/<uuid:match_id>": EVERYONE,
    "POST /api/v1/matches/<uuid:match_id>/accept": ITS_PLAYERS,
    "POST /api/v1/matches/<uuid:match_id>/decline": ITS_PLAYERS,
    "POST /api/v1/matches/<uuid:match_id>/report": ITS_PLAYERS,
    "POST /api/v1/matches/<uuid:match_id>/confirm": ITS_PLAYERS,
    "POST /api/v1/matches/<uuid:match_id>/dispute": ITS_PLAYERS,
    "POST /api/v1/server/matches/<uuid:match_id>/result": GAME_SERVERS,
    "POST /api/v1/matchmaking/tickets": QUEUES,
    "GET /api/v1/matchmaking/tickets/<uuid:ticket_id>": ITS_OWNER,
    "DELETE /api/v1/matchmaking/tickets/<uuid:ticket_id>": ITS_OWNER,
    "POST /api/v1/matchmaking/tickets/<uuid:ticket_id>/heartbeat": ITS_OWNER,
    "POST /api/v1/challenges": QUEUES,
    "POST /api/v1/matches/<uuid:match_id>/rematch": (401, 201, 403, 401, 401, 403, 403),
    "GET /api/v1/invites": SIGNED_IN,
    "POST /api/v1/invites": QUEUES,
    "POST /api/v1/invites/accept": (401, 422, 200, 401, 401, 200, 200),
    "DELETE /api/v1/invites/<uuid:invite_id>": (401, 204, 404, 401, 401, 404, 404),
    "GET /api/v1/blocks": SIGNED_IN,
    "PUT /api/v1/blocks/<str:username>": (401, 422, 204, 401, 401, 204, 204),
    "DELETE /api/v1/blocks/<str:username>": CLOSES,
    "GET /api/v1/events": SIGNED_IN,
    "GET /api/v1/events/poll": SIGNED_IN,
    "POST /api/v1/events/token": SIGNED_IN,
    "GET /": TO_THE_DOCUMENTATION,
    "GET /api/schema": EVERYONE,
    "GET /api/docs": EVERYONE,
    "GET /healthz": EVERYONE,
    "GET /readyz": EVERYONE,
    "GET /metrics": EVERYONE,  # from this machine, as the tests are
}

# Doors of their own: allauth's, whose tests are its own, and the admin (tests/admin).
OTHER_DOORS = ("_allauth/", "admin/")


def addresses(patterns: Any, prefix: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if prefix != "/" or route not in OTHER_DOORS:
                yield from addresses(pattern.url_patterns, prefix + route)
        else:
            for method in methods_of(pattern):
                yield f"{method} {prefix}{route}"


def methods_of(pattern: URLPattern) -> list[str]:
    view = getattr(pattern.callback, "cls", None)
    if view is None:
        return ["GET"]
    return [name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)]


def test_every_address_has_its_row() -> None:
    assert set(addresses(get_resolver().url_patterns)) == set(MATRIX)


@dataclass
class Scene:
    """A match in the state that the address is for, and what to send there."""

    match: Match
    body: dict[str, Any] | None = None
    ticket: Ticket | None = None
    invite: Invite | None = None


def scene_for(address: str) -> Scene:
    deed = address.rpartition("/")[2]
    if deed in ("accept", "decline") and "matches" in address:
        return Scene(offered_match())
    if deed in ("confirm", "dispute"):
        return Scene(awaiting_match(claimant=2))
    if deed in ("report", "result"):
        match = started_match()
        return Scene(match, {"winner": match.player_one.username})
    if deed == "challenges":
        match = confirmed_match()
        return Scene(match, {"opponent": match.player_two.username, "ladder": "backgammon", "match_length": 5})
    if "invites" in address:
        match = confirmed_match()
        invite, token = invites.create(match.player_one, match.ladder, match_length=5)
        body = {"token": token} if deed == "accept" else {"ladder": "backgammon", "match_length": 5}
        return Scene(match, body, invite=invite)
    if deed == "tickets":
        return Scene(confirmed_match(), {"ladder": "backgammon", "match_lengths": [5]})
    if "<uuid:ticket_id>" in address:
        match = confirmed_match()
        return Scene(match, ticket=queued(player_of(match, 1)))
    if deed == "preview":
        return Scene(confirmed_match(), {"match_length": 1, "players": [{}, {}]})
    return Scene(confirmed_match())


def client_of(caller: str, match: Match) -> clients.Client:
    if caller == "anonymous":
        return clients.anonymous()
    if caller == "player":
        return clients.player(player_of(match, 1))
    if caller in ("game server", "without scope"):
        key = make_service_key()
        if caller == "without scope":
            ServiceKey.objects.update(scopes=[])
        return clients.game_server(key)
    if caller == "moderator":
        return clients.player(make_moderator())
    return clients.player(make_player(is_superuser=caller == "superuser", is_staff=caller == "superuser"))


@pytest.mark.django_db
@pytest.mark.parametrize("address", MATRIX)
@pytest.mark.parametrize("caller", CALLERS)
def test_who_gets_which_answer(address: str, caller: str) -> None:
    scene = scene_for(address)
    method, route = address.split()
    path = (
        route.replace("<uuid:match_id>", str(scene.match.pk))
        .replace("<slug:name>", "fide")
        .replace("<slug:slug>", scene.match.ladder.slug)
        .replace("<uuid:ticket_id>", str(scene.ticket.pk if scene.ticket else ""))
        .replace("<uuid:invite_id>", str(scene.invite.pk if scene.invite else ""))
        .replace("<str:username>", scene.match.player_one.username)
    )
    answer = client_of(caller, scene.match).generic(
        method, path, clients.json_of(scene.body), content_type="application/json"
    )
    assert answer.status_code == MATRIX[address][CALLERS.index(caller)]
