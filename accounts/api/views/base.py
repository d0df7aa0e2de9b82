"""Base classes of views: for everyone, for players, and for game servers. Services check what a caller may do."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.api.authentication import SERVICE_KEY_HEADER, BearerAuthentication, ServiceKeyAuthentication
from accounts.models import ServiceKey, User
from accounts.models.service_key import Scope


class IsPlayer(BasePermission):
    # More errors of operations by their HTTP method, for OpenAPI.
    problems: ClassVar = {method: {404, 409} for method in ("POST", "PUT", "DELETE")}

    def has_permission(self, request: Request, view: Any) -> bool:
        return bool(request.user.is_authenticated)


class IsGameServer(BasePermission):
    """A service key with the scope to report results."""

    problems: ClassVar = {"POST": {403}}
    message = _("The service key lacks the scope for this.")
    code = "scope_missing"

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, ServiceKey) and Scope.RESULTS in request.auth.scopes


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
