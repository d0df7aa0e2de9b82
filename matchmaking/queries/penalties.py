"""Penalties that count, and when a player may queue again."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from matchmaking.cooldowns import FORGOTTEN_AFTER
from matchmaking.models import Penalty


def in_force(account: User) -> Penalty | None:
    """The penalty that keeps the player out of the queue longest, if one does."""
    now = timezone.now()
    return counting(account.pk, now).filter(until__gt=now).order_by("-until").first()


def counting(account_id: int, now: datetime) -> QuerySet[Penalty]:
    """The player's faults that are neither lifted nor forgotten."""
    return Penalty.objects.filter(account_id=account_id, created_at__gt=now - FORGOTTEN_AFTER, lifted_at__isnull=True)


def queue_again_at(account: User, *, suspended: bool, until: datetime | None) -> datetime | None:
    """When neither a penalty nor a suspension keeps the player out of the queue any more; ``None``: now, or never.

    The caller knows whether he is suspended, and ``until`` when (``None``: for good).
    """
    if suspended and until is None:
        return None
    penalty = in_force(account)
    return max((end for end in (until, penalty.until if penalty else None) if end is not None), default=None)
