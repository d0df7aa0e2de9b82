"""What all views share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from ladder.api.authentication import BearerAuthentication, ServiceKeyAuthentication
from ladder.api.permissions import IsGameServer, IsPlayer
from ladder.models import Match, User
from ladder.rules.match_life import State
from ladder.services import watching


class PublicView(APIView):
    """Open to everyone; who says who he is may see more, and is counted by his name."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]


class PlayerView(PublicView):
    """For a signed-in player."""

    authentication_classes = [BearerAuthentication]
    permission_classes = [IsPlayer]


class GameServerView(PublicView):
    """For a game server with a service key."""

    authentication_classes = [ServiceKeyAuthentication]
    permission_classes = [IsGameServer]


def player(request: Request) -> User:
    """Who calls a ``PlayerView``."""
    assert isinstance(request.user, User)
    return request.user


def reader(request: Request) -> User | None:
    """Who reads a ``PublicView``, if he said so."""
    return request.user if isinstance(request.user, User) else None


def note_shown(request: Request, matches: Iterable[Match]) -> None:
    """The answer to this request shows these matches to whoever reads it: he cannot say that he knew of no offer."""
    offers = [match.pk for match in matches if match.state == State.OFFERED]
    if offers and isinstance(request.user, User):
        watching.offers_shown(request.user.pk, offers)


def describe(operation: str, summary: str, **schema: Any) -> Callable[..., Any]:
    """OpenAPI's words about a view's method; errors are added by ``ladder.api.schema``."""
    return extend_schema(operation_id=operation, summary=summary, **schema)
