"""How callers prove who they are, in OpenAPI's words."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from accounts.api.authentication import SERVICE_KEY_HEADER


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.BearerAuthentication"
    name = "player"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "`meta.access_token` of signing in (`/_allauth/`)."}


class ServiceKeyScheme(OpenApiAuthenticationExtension):
    target_class = "accounts.api.authentication.ServiceKeyAuthentication"
    name = "game_server"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "header", "name": SERVICE_KEY_HEADER, "description": "A service key."}
