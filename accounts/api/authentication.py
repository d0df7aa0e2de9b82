"""Authentication of the API: players with an access token, game servers with a service key. There are no cookies."""

from __future__ import annotations

from typing import Any

from allauth.headless.contrib.rest_framework.authentication import XSessionTokenAuthentication
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import ServiceKey
from accounts.services import service_keys
from common.api.bearer import bearer_token

SERVICE_KEY_HEADER = "X-Service-Key"


class BearerAuthentication(XSessionTokenAuthentication):  # type: ignore[misc]
    """``Authorization: Bearer`` with the access token from sign-in. It is valid until its session ends."""

    allow_anonymous_users = False
    allow_invalid_session_tokens = False

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        try:
            answer: tuple[Any, Any] | None = super().authenticate(request)
        except AuthenticationFailed as error:
            detail = _("The access token is not valid, or has expired: sign in again.")
            raise AuthenticationFailed(detail, code="invalid_token") from error
        return answer

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'

    def get_session_token(self, request: Request) -> str | None:
        token = bearer_token(request)
        # An empty token is an invalid token, not a missing one.
        return token if token is None else token or "-"


class ServiceKeyAuthentication(BaseAuthentication):
    """A service key in ``X-Service-Key``. ``request.auth`` is then the key, and there is no user."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ServiceKey] | None:
        secret = request.headers.get(SERVICE_KEY_HEADER)
        if secret is None:
            return None
        key = service_keys.find_valid_key(secret)
        if key is None:
            raise AuthenticationFailed(
                _("The service key is unknown, revoked or has expired."), code="invalid_service_key"
            )
        return AnonymousUser(), key

    def authenticate_header(self, request: Request) -> str:
        return 'ServiceKey realm="api"'
