"""Tokens for the address of an event stream, because a browser's EventSource cannot send our header.

A token contains the key of the session, so it ends with the session. The key is also the access token for everything
else, and addresses are written to logs. So the token is encrypted, not only signed, and only the event views accept it.
"""

from __future__ import annotations

import base64
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.limits import TOKEN_LIFETIME


def issue(session_key: str) -> tuple[str, datetime]:
    """A token for the session, and when it expires."""
    now = timezone.now()
    token = _cipher().encrypt_at_time(session_key.encode(), int(now.timestamp()))
    return token.decode(), now + TOKEN_LIFETIME


def session_key_of(token: str) -> str | None:
    """The key of the session that the token is for; ``None`` for an invalid or expired token."""
    try:
        now = int(timezone.now().timestamp())
        return _cipher().decrypt_at_time(token.encode(), int(TOKEN_LIFETIME.total_seconds()), now).decode()
    except (InvalidToken, UnicodeEncodeError):
        return None


def _cipher() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(secret)) for secret in secrets])


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64encode(salted_hmac(__name__, "key", secret=secret, algorithm="sha256").digest())
