"""Where other apps add to accounts: what ``/me`` shows, what follows a change of an account, roles, the audit trail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from accounts.models import Suspension, User
from common.points import Point

Notes = Mapping[str, object]
"""What a player is told beside the thing itself; it goes into the event about it."""


class AccountListener:
    """What an app does, in the same transaction, when something happens to an account. By default nothing.

    The account is locked, except where it says otherwise; a listener locks nothing that stands before accounts in the
    order of locks (docs/locking.md).
    """

    def stopped(self, account_id: int) -> Notes:
        """The account was suspended or closed, and starts no match any more; what its player is told besides."""
        return {}

    def suspended(self, suspension: Suspension, notes: Notes) -> None:
        """The account was suspended; ``notes`` is what all listeners said in :meth:`stopped`."""

    def suspension_lifted(self, suspension: Suspension) -> None:
        """The account may start matches again."""

    def check_may_close(self, account: User) -> None:
        """Raise ``Conflict`` while the account cannot be closed."""

    def closing(self, account: User) -> None:
        """The account is being closed: what only its owner had a use for goes with it. It has its neutral name."""

    def closed(self, account: User, former_name: str) -> None:
        """The account was closed, and nothing is locked any more."""

    def blocked(self, account: User, other: User) -> None:
        """``account`` has blocked ``other``, and nothing is locked any more."""


@dataclass(frozen=True, slots=True)
class MePart:
    """What an app shows in ``/me``: a typed dictionary, and the function that fills it.

    ``read`` is given what the parts before it have shown. It writes nothing; ``seen`` is called once all is read, with
    the whole answer, for an app that must know that its owner has seen it.
    """

    shown: type
    read: Callable[[User, Mapping[str, Any]], Mapping[str, Any]]
    seen: Callable[[User, Mapping[str, Any]], object] = lambda *_: None


@dataclass(frozen=True, slots=True)
class RolePermission:
    """A permission, as ``app.codename``, that a role (the name of a group) has."""

    role: str
    permission: str


@dataclass(frozen=True, slots=True)
class AuditAction:
    """An action of the audit trail: its stable code, and what it is called after the name of whoever did it."""

    code: str
    words: str | Promise


@dataclass(frozen=True, slots=True)
class AccountLink:
    """A link from the page of an account to a list of what is theirs: the name of the list's view, and its title."""

    view: str
    title: str | Promise


LISTENERS: Point[AccountListener] = Point()
ME: Point[MePart] = Point()
ROLE_PERMISSIONS: Point[RolePermission] = Point()
AUDIT_ACTIONS: Point[AuditAction] = Point()
ACCOUNT_LINKS: Point[AccountLink] = Point()


def may(role: str, *permissions: str) -> list[RolePermission]:
    """These permissions, each as ``app.codename``, for one role."""
    return [RolePermission(role, permission) for permission in permissions]
