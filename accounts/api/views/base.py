"""Base classes of views: for everyone, for players, and for game servers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.api.authentication import SERVICE_KEY_HEADER, BearerAuthentication, ServiceKeyAuthentication
from accounts.api.permissions import IsGameServer, IsPlayer
from accounts.models import User


class PublicView(APIView):
    """For everyone. Signed-in players may see more, and their requests are counted by account."""

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
    """The player that calls a ``PlayerView``."""
    assert isinstance(request.user, User)
    return request.user


def reader(request: Request) -> User | None:
    """The player that calls a ``PublicView``; ``None`` if nobody is signed in."""
    return request.user if isinstance(request.user, User) else None


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = BearerAuthentication
    name = "player"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "`meta.access_token` from sign-in (`/_allauth/`)."}


class ServiceKeyScheme(OpenApiAuthenticationExtension):
    target_class = ServiceKeyAuthentication
    name = "game_server"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "header", "name": SERVICE_KEY_HEADER, "description": "A service key."}
