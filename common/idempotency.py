"""Requests that may come twice: the answer is kept in the transaction of the work, so both exist or neither does."""

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

# 401, 403 and 429 speak of the caller at that moment; a failure of ours is worth another try.
_NOT_KEPT = frozenset({401, 403, 429})


_DELETE = """
    DELETE FROM common_idempotencykey
    WHERE caller = ANY(%(callers)s) AND (%(text)s::bytea IS NULL OR position(%(text)s::bytea IN body) > 0)
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """With ``retry_after``, in how many seconds the same request may be granted, it is not kept."""

    status: int
    body: bytes
    content_type: str
    retry_after: str | None = None
    replayed: bool = False


@transaction.atomic
def once(caller: str, key: str, request: bytes, work: Callable[[], Answer]) -> Answer:
    """Do ``work`` unless ``caller`` has had an answer under this key: then give that answer again.

    ``request`` is all that makes the request what it is. Raises ``Conflict`` while the first request still runs, and
    ``Invalid`` when the key belongs to another request.
    """
    fingerprint = sha256(request).digest()
    if not _held_by_us(caller, key):
        raise Conflict("idempotency_key_in_use", _("A request with this idempotency key is still running."))
    kept = IdempotencyKey.objects.filter(caller=caller, key=key).first()
    if kept is not None:
        if bytes(kept.fingerprint) != fingerprint:
            raise Invalid("idempotency_key_reused", _("This idempotency key belongs to another request."))
        return Answer(kept.status, bytes(kept.body), kept.content_type, replayed=True)
    answer = work()
    if answer.status < 500 and answer.status not in _NOT_KEPT and answer.retry_after is None:
        IdempotencyKey.objects.create(
            caller=caller,
            key=key,
            fingerprint=fingerprint,
            status=answer.status,
            body=answer.body,
            content_type=answer.content_type,
        )
    return answer


def caller_name(account_id: int) -> str:
    """How an account is called as a caller."""
    return f"account:{account_id}"


def delete_expired() -> int:
    """Delete the answers that were kept long enough; how many there were."""
    oldest = timezone.now() - timedelta(hours=settings.IDEMPOTENCY_KEY_HOURS)
    return IdempotencyKey.objects.filter(created_at__lt=oldest).delete()[0]


def delete_answers_to(*callers: str, mentioning: str | None = None) -> None:
    """Delete the answers kept for these callers; with ``mentioning``, only those that contain that text."""
    sql.execute(_DELETE, {"callers": list(callers), "text": None if mentioning is None else mentioning.encode()})


def _held_by_us(caller: str, key: str) -> bool:
    """Take the key's lock until the transaction ends, without waiting for it."""
    number = int.from_bytes(sha256(f"{caller}\0{key}".encode()).digest()[:8], signed=True)
    return bool(sql.query("SELECT pg_try_advisory_xact_lock(%s::bigint)", (number,))[0][0])
