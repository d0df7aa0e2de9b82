"""Tokens in requests."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request


def bearer_token(request: HttpRequest | Request) -> str | None:
    """The token of ``Authorization: Bearer``; ``None`` without one."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
