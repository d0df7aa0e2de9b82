"""Who may call what. What a caller may do to a match is for the services to say."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from ladder.models import ServiceKey
from ladder.models.service_key import Scope


class IsPlayer(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        return bool(request.user.is_authenticated)


class IsGameServer(BasePermission):
    """A service key, with the right to report results."""

    scope = Scope.RESULTS
    message = _("The service key lacks the scope for this.")
    code = "scope_missing"

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, ServiceKey) and self.scope in request.auth.scopes
