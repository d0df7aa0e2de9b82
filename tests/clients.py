"""Clients of the API, with real credentials."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from rest_framework.test import APIClient

from accounts.models import User


def token_of(user: User) -> str:
    """An access token, as from sign-in (tests/accounts/api/test_accounts.py does that over the API)."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = User.objects.get(pk=user.pk).get_session_auth_hash()
    session.save()
    assert session.session_key
    return session.session_key


def anonymous(**headers: str) -> Client:
    return Client(headers=headers)


def player(user: User, **headers: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {token_of(user)}", **headers})


def game_server(key: str, **headers: str) -> Client:
    return Client(headers={"X-Service-Key": key, **headers})


class Client(APIClient):
    """Sends JSON, adds the prefix of the API, and returns errors as answers."""

    def __init__(self, **defaults: Any) -> None:
        super().__init__(raise_request_exception=False, **defaults)
        self.default_format = "json"

    def generic(self, method: str, path: Any, *args: Any, **kwargs: Any) -> Any:
        return super().generic(method, path if path.startswith(("/", "http")) else f"/api/v1/{path}", *args, **kwargs)


def json_of(body: Any) -> bytes:
    return b"" if body is None else json.dumps(body).encode()
