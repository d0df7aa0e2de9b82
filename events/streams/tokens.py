"""Tokens for the address of an event stream, since a browser's EventSource sends no header of ours.

The token holds the key of the session, so sign-out ends it too. That key is itself the access token to everything, and
addresses end up in logs: so the token is encrypted, not only signed, and only the event views take it.
"""

from __future__ import annotations

import base64
from datetime import datetime, timedelta

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

LIFE = timedelta(hours=12)


def issue(session_key: str) -> tuple[str, datetime]:
    """A token for the session, and when it ends."""
    now = timezone.now()
    token = _cipher().encrypt_at_time(session_key.encode(), int(now.timestamp()))
    return token.decode(), now + LIFE


def session_key_of(token: str) -> str | None:
    """The session that the token was issued for; ``None`` for what is no token of ours or is too old."""
    try:
        now = int(timezone.now().timestamp())
        return _cipher().decrypt_at_time(token.encode(), int(LIFE.total_seconds()), now).decode()
    except (InvalidToken, UnicodeEncodeError):
        return None


def _cipher() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(secret)) for secret in secrets])


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64encode(salted_hmac(__name__, "key", secret=secret, algorithm="sha256").digest())
