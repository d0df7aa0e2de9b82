"""Locking accounts. Accounts are locked before anything else (docs/locking.md)."""

from __future__ import annotations

from accounts.models import User


def lock_accounts(*account_ids: int) -> list[User]:
    """Lock accounts, by ascending id, and return their current rows.

    Transactions that only refer to the accounts, such as offers and settlements, do not wait for this lock.
    """
    return list(User.objects.select_for_update(no_key=True).filter(pk__in=account_ids).order_by("pk"))
