"""Accounts in the answers of the API."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from accounts.models import Block, Suspension
from common.types import Username


class SuspensionShown(TypedDict):
    """Why the player cannot start matches, and until when; ``until`` null: for good."""

    reason: str
    until: datetime | None


class Profile(TypedDict):
    """A player's own profile."""

    username: Username
    joined_at: datetime
    email: str | None
    email_verified: bool
    language: str
    suspension: SuspensionShown | None


class BlockShown(TypedDict):
    """A player that you have blocked."""

    username: Username
    created_at: datetime


class BlockPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[BlockShown]


def suspension_shown(suspension: Suspension | None) -> SuspensionShown | None:
    return {"reason": suspension.reason, "until": suspension.until} if suspension else None


def block_shown(block: Block) -> BlockShown:
    return {"username": block.blocked.username, "created_at": block.created_at}
