"""Writing the audit trail."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Model
from django.utils import timezone

from accounts.models import AuditEntry, User


def record(
    actor: User | None, action: str, target: Model, *, reason: str = "", data: Mapping[str, object] | None = None
) -> None:
    """Record an action, in the caller's transaction. ``actor`` None: the system."""
    AuditEntry.objects.create(
        actor=actor,
        action=action,
        target_type=target._meta.label_lower,
        target_id=str(target.pk),
        reason=reason,
        data=dict(data or {}),
        created_at=timezone.now(),
    )
