"""The players of a file: which spellings are one player, and which accounts they have.

The database answers both, so that two names are the same here exactly when its unique index says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from accounts.models import User
from common import sql

_BATCH = 200

_RESOLVE = """
    SELECT given.name, lower(given.name), u.id
    FROM unnest(%s::text[]) AS given (name) LEFT JOIN accounts_user u ON lower(u.username) = lower(given.name)
"""


@dataclass(frozen=True, slots=True)
class Roster:
    """``keys`` gives for each spelling what makes the name unique, ``accounts`` the account ids by that key."""

    keys: dict[str, str]
    accounts: dict[str, int]

    def account(self, name: str) -> int | None:
        """The account of that name; ``None`` as long as there is none."""
        return self.accounts.get(self.keys[name])

    def __getitem__(self, name: str) -> int:
        """The account of that name, when there must be one."""
        return self.accounts[self.keys[name]]


def look_up(names: set[str]) -> Roster:
    """Find the accounts of these names."""
    roster = Roster({}, {})
    for name, key, account in sql.query(_RESOLVE, (list(names),)):
        roster.keys[name] = key
        if account is not None:
            roster.accounts[key] = account
    return roster


def create_missing(roster: Roster, names: Iterable[str]) -> int:
    """Make the accounts that the roster lacks, without a password, spelled as first met; how many were made."""
    missing: dict[str, str] = {}
    for name in names:
        if roster.account(name) is None:
            missing.setdefault(roster.keys[name], name)
    # In order of their keys, so that two imports cannot wait for each other's names crosswise.
    keys = sorted(missing)
    created = 0
    for start in range(0, len(keys), _BATCH):
        with transaction.atomic():
            for key in keys[start : start + _BATCH]:
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
