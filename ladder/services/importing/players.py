"""The players of a file: which spellings are the same player, and their accounts.

The database decides both, so that names are the same here exactly if its unique index treats them as the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from accounts.models import User
from common import sql
from ladder.limits import ACCOUNTS_PER_IMPORT_BATCH

_RESOLVE = """
    SELECT given.name, lower(given.name), u.id
    FROM unnest(%s::text[]) AS given (name) LEFT JOIN accounts_user u ON lower(u.username) = lower(given.name)
"""


@dataclass(frozen=True, slots=True)
class Roster:
    """The players of a file. ``keys`` has the unique key of each spelling, ``accounts`` the account id of each key."""

    keys: dict[str, str]
    accounts: dict[str, int]

    def account(self, name: str) -> int | None:
        """The id of the account with this name; ``None`` if there is none."""
        return self.accounts.get(self.keys[name])

    def __getitem__(self, name: str) -> int:
        """The id of the account with this name, which must exist."""
        return self.accounts[self.keys[name]]


def look_up(names: set[str]) -> Roster:
    """Find the accounts with these names."""
    roster = Roster({}, {})
    for name, key, account in sql.query(_RESOLVE, (list(names),)):
        roster.keys[name] = key
        if account is not None:
            roster.accounts[key] = account
    return roster


def create_missing(roster: Roster, names: Iterable[str]) -> int:
    """Create the missing accounts, without passwords, with the first spelling of each name. Returns their number."""
    missing: dict[str, str] = {}
    for name in names:
        if roster.account(name) is None:
            missing.setdefault(roster.keys[name], name)
    # In the order of keys, so that two imports cannot deadlock.
    keys = sorted(missing)
    created = 0
    for start in range(0, len(keys), ACCOUNTS_PER_IMPORT_BATCH):
        with transaction.atomic():
            for key in keys[start : start + ACCOUNTS_PER_IMPORT_BATCH]:
                account, is_new = _account(missing[key])
                roster.accounts[key] = account.pk
                created += is_new
    return created


def _account(name: str) -> tuple[User, bool]:
    try:
        with transaction.atomic():
            return User.objects.create_user(name), True
    except IntegrityError:
        return User.objects.named(name), False
