"""Penalties that are in force, and when a player can join the queue again."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from matchmaking.cooldowns import COUNTED_FOR
from matchmaking.models import Penalty


def in_force(account: User) -> Penalty | None:
    """The player's penalty that ends last, if one is in force."""
    now = timezone.now()
    return counting(account.pk, now).filter(until__gt=now).order_by("-until").first()


def counting(account_id: int, now: datetime) -> QuerySet[Penalty]:
    """The player's penalties of the last day that were not lifted. They make the next one longer."""
    return Penalty.objects.filter(account_id=account_id, created_at__gt=now - COUNTED_FOR, lifted_at__isnull=True)


def queue_again_at(account: User, *, suspended: bool, until: datetime | None) -> datetime | None:
    """When the player can join the queue again, after penalties and a suspension. ``None``: now, or never.

    ``suspended``: whether the player is suspended, and ``until``: the end of the suspension (``None``: for good).
    """
    if suspended and until is None:
        return None
    penalty = in_force(account)
    return max((end for end in (until, penalty.until if penalty else None) if end is not None), default=None)
