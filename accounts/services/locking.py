"""Locks of accounts: they come first in the order of all locks (docs/locking.md)."""

from __future__ import annotations

from accounts.models import User


def lock_accounts(*account_ids: int) -> list[User]:
    """Lock accounts against others who lock them too, and give them as they are now, by ascending id.

    Offers and settlements, which need only a share, do not wait.
    """
    return list(User.objects.select_for_update(no_key=True).filter(pk__in=account_ids).order_by("pk"))
