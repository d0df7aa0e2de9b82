"""How a listener proves who they are, in OpenAPI's words."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class EventTokenScheme(OpenApiAuthenticationExtension):
    target_class = "events.api.views.EventTokenAuthentication"
    name = "event_token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "query", "name": "token", "description": "From `/events/token`."}
