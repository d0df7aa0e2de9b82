"""Permissions of the API. Services check what a caller may do with a match."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.models import ServiceKey
from accounts.models.service_key import Scope


class IsPlayer(BasePermission):
    # More errors of operations by their HTTP method, for OpenAPI.
    problems: ClassVar = {method: {404, 409} for method in ("POST", "PUT", "DELETE")}

    def has_permission(self, request: Request, view: Any) -> bool:
        return bool(request.user.is_authenticated)


class IsGameServer(BasePermission):
    """A service key with the scope to report results."""

    problems: ClassVar = {"POST": {403}}
    scope = Scope.RESULTS
    message = _("The service key lacks the scope for this.")
    code = "scope_missing"

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, ServiceKey) and self.scope in request.auth.scopes
