"""Requests that may arrive twice. The answer is stored in the transaction of the work: both are committed, or none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from common import sql
from common.errors import Conflict, Invalid
from common.models import IdempotencyKey

# These errors depend on the caller's state at that moment. Server errors are not stored either.
_NOT_STORED = frozenset({401, 403, 429})


_DELETE = """
    DELETE FROM common_idempotencykey
    WHERE caller = ANY(%(callers)s) AND (%(text)s::bytea IS NULL OR position(%(text)s::bytea IN body) > 0)
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """``retry_after``: the seconds after which the same request may succeed. An answer with it is not stored."""

    status: int
    body: bytes
    content_type: str
    retry_after: str | None = None
    replayed: bool = False


@transaction.atomic
def answer_once(caller: str, key: str, request: bytes, work: Callable[[], Answer]) -> Answer:
    """Do ``work`` and store its answer, or return the stored answer of this caller and key.

    ``request`` contains everything that identifies the request. Raises ``Conflict`` while the first request runs, and
    ``Invalid`` when the key was used for another request.
    """
    fingerprint = sha256(request).digest()
    if not _lock_key(caller, key):
        raise Conflict("idempotency_key_in_use", _("A request with this idempotency key is still running."))
    stored = IdempotencyKey.objects.filter(caller=caller, key=key).first()
    if stored is not None:
        if bytes(stored.fingerprint) != fingerprint:
            raise Invalid("idempotency_key_reused", _("This idempotency key was used for another request."))
        return Answer(stored.status, bytes(stored.body), stored.content_type, replayed=True)
    answer = work()
    if answer.status < 500 and answer.status not in _NOT_STORED and answer.retry_after is None:
        IdempotencyKey.objects.create(
            caller=caller,
            key=key,
            fingerprint=fingerprint,
            status=answer.status,
            body=answer.body,
            content_type=answer.content_type,
        )
    return answer


def account_caller(account_id: int) -> str:
    """The caller's name of an account."""
    return f"account:{account_id}"


def delete_expired() -> int:
    """Delete answers older than ``IDEMPOTENCY_KEY_HOURS``. Returns how many were deleted."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEY_HOURS)
    return IdempotencyKey.objects.filter(created_at__lt=oldest).delete()[0]


def delete_answers_to(*callers: str, mentioning: str | None = None) -> None:
    """Delete the stored answers to these callers; with ``mentioning``, only those that contain that text."""
    sql.execute(_DELETE, {"callers": list(callers), "text": None if mentioning is None else mentioning.encode()})


def _lock_key(caller: str, key: str) -> bool:
    """Lock the key until the transaction ends. False if another transaction holds it."""
    number = int.from_bytes(sha256(f"{caller}\0{key}".encode()).digest()[:8], signed=True)
    return bool(sql.query("SELECT pg_try_advisory_xact_lock(%s::bigint)", (number,))[0][0])
