"""Issuing, checking and revoking service keys."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import KEY_USE_RESOLUTION
from accounts.models import ServiceKey, User
from accounts.models.service_key import Scope
from accounts.services import audit
from common import sql
from common.errors import Invalid

PREFIX = "bgk_"

_FIELDS = [f.attname for f in ServiceKey._meta.concrete_fields]
# A prepared statement, because it runs before each result that a game server reports.
_FIND = f"""
    SELECT {", ".join(str(f.column) for f in ServiceKey._meta.concrete_fields)} FROM accounts_servicekey
    WHERE digest = %s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %s::timestamptz)
"""


@transaction.atomic
def issue(
    name: str, scopes: Sequence[str], *, actor: User | None, expires_at: datetime | None = None
) -> tuple[ServiceKey, str]:
    """Issue a key. The second value is the key itself. It cannot be read again, because only its hash is stored."""
    if not scopes or any(scope not in Scope.values for scope in scopes):
        raise Invalid(
            "unknown_scope", _("Scopes are: %(scopes)s.") % {"scopes": ", ".join(Scope.values)}, field="scopes"
        )
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid("expired", _("The expiry must be in the future."), field="expires_at")
    secret = PREFIX + secrets.token_urlsafe(32)
    key = ServiceKey.objects.create(
        name=name,
        digest=_digest(secret),
        hint=secret[:8],
        scopes=list(scopes),
        expires_at=expires_at,
        created_by=actor,
    )
    audit.record(actor, "service_key.issue", key, data={"name": name, "scopes": list(scopes)})
    return key, secret


@transaction.atomic
def revoke(key: ServiceKey, *, actor: User) -> None:
    """Make the key invalid at once. Revoking it again changes nothing."""
    if ServiceKey.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()):
        audit.record(actor, "service_key.revoke", key, data={"name": key.name})


def find_valid_key(secret: str) -> ServiceKey | None:
    """The key with this secret, if it is valid now. Records its use."""
    now = timezone.now()
    rows = sql.query(_FIND, (_digest(secret), now))
    if not rows:
        return None
    key = ServiceKey.from_db("default", _FIELDS, rows[0])
    earliest = now - KEY_USE_RESOLUTION
    if key.last_used_at is None or key.last_used_at < earliest:
        not_recorded = Q(last_used_at__isnull=True) | Q(last_used_at__lt=earliest)
        ServiceKey.objects.filter(not_recorded, pk=key.pk).update(last_used_at=now)
    return key


def _digest(secret: str) -> bytes:
    # The key has 256 random bits, so a fast hash is enough.
    return sha256(secret.encode()).digest()
