"""Queries about blocks."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import Block, User


def blocks_of(account: User) -> QuerySet[Block]:
    """The blocks that the player has made."""
    return Block.objects.select_related("blocked").filter(account=account)


def is_between(one: int, two: int) -> bool:
    """Whether one of these two accounts has blocked the other."""
    return Block.objects.filter(Q(account=one, blocked=two) | Q(account=two, blocked=one)).exists()
