"""Extension points: ``/me``, changes of accounts, roles, the audit trail, and links on the page of an account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from accounts.models import Suspension, User
from common.points import ExtensionPoint

EventFields = Mapping[str, object]
"""Fields that an app adds to an event of another app."""


class AccountListener:
    """What an app does, in the same transaction, when an account changes. By default nothing.

    The account is locked, unless a method says otherwise. A listener must not lock anything that comes before accounts
    in the order of locks (docs/locking.md).
    """

    def stopped(self, account_id: int) -> EventFields:
        """The account was suspended or closed and cannot start matches. Returns fields for the event about it."""
        return {}

    def suspended(self, suspension: Suspension, fields: EventFields) -> None:
        """The account was suspended. ``fields`` is what all listeners returned from :meth:`stopped`."""

    def suspension_lifted(self, suspension: Suspension) -> None:
        """The account can start matches again."""

    def check_may_close(self, account: User) -> None:
        """Raise ``Conflict`` if the account cannot be closed now."""

    def closing(self, account: User) -> None:
        """The account is being closed and has its neutral name. Delete what only its owner needed."""

    def closed(self, account: User, former_name: str) -> None:
        """The account was closed. The transaction is committed, and nothing is locked."""

    def blocked(self, account: User, other: User) -> None:
        """``account`` has blocked ``other``. The transaction is committed, and nothing is locked."""


@dataclass(frozen=True, slots=True)
class MePart:
    """A part of ``/me``: a typed dictionary, and a function that reads its values.

    ``read`` gets the account and the answer of the parts before it, and must not write. ``after_read`` gets the whole
    answer, for an app that records what the player was shown.
    """

    type: type
    read: Callable[[User, Mapping[str, Any]], Mapping[str, Any]]
    after_read: Callable[[User, Mapping[str, Any]], object] = lambda *_: None


@dataclass(frozen=True, slots=True)
class RolePermission:
    """A permission (``app.codename``) of a role (the name of a group)."""

    role: str
    permission: str


@dataclass(frozen=True, slots=True)
class AuditAction:
    """An action of the audit trail: its stable code, and a text that follows the actor's name."""

    code: str
    text: str | Promise


@dataclass(frozen=True, slots=True)
class AccountLink:
    """A link from the page of an account to a list of its rows: the name of the list's view, and its title."""

    view: str
    title: str | Promise


LISTENERS: ExtensionPoint[AccountListener] = ExtensionPoint()
ME: ExtensionPoint[MePart] = ExtensionPoint()
ROLE_PERMISSIONS: ExtensionPoint[RolePermission] = ExtensionPoint()
AUDIT_ACTIONS: ExtensionPoint[AuditAction] = ExtensionPoint()
ACCOUNT_LINKS: ExtensionPoint[AccountLink] = ExtensionPoint()


def may(role: str, *permissions: str) -> list[RolePermission]:
    """These permissions (``app.codename``) for a role."""
    return [RolePermission(role, permission) for permission in permissions]


def action_label(code: str) -> str:
    """The text of an action of the audit trail."""
    return next((str(action.text) for action in AUDIT_ACTIONS if action.code == code), code)
