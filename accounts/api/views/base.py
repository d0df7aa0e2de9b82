"""Views by who may call them."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.api.authentication import BearerAuthentication, ServiceKeyAuthentication
from accounts.api.permissions import IsGameServer, IsPlayer
from accounts.models import User


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
