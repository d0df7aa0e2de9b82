"""Events about the account itself."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from events.points import Kind


class AccountSuspended(TypedDict):
    """The account cannot start a match until this time (null: never again), and why."""

    reason: str
    until: datetime | None


class SuspensionLifted(TypedDict):
    """The account can start matches again, and why."""

    reason: str


ACCOUNT_SUSPENDED = Kind("account_suspended", AccountSuspended)
SUSPENSION_LIFTED = Kind("suspension_lifted", SuspensionLifted)
