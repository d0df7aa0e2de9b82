"""Invites and blocks."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from ladder.api.resources.types import Slug, Username
from matchmaking.models import Block, Invite


class InviteShown(TypedDict):
    """An invite that can be taken up until it expires."""

    id: UUID
    ladder: Slug
    match_length: int
    created_at: datetime
    expires_at: datetime


class NewInvite(InviteShown):
    """``token`` is told here and never again; put it into a link."""

    token: str


class InvitePage(TypedDict):
    next: str | None
    previous: str | None
    results: list[InviteShown]


class BlockShown(TypedDict):
    """A player whom you never meet."""

    username: Username
    created_at: datetime


class BlockPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[BlockShown]


def invite_shown(invite: Invite) -> InviteShown:
    return {
        "id": invite.pk,
        "ladder": invite.ladder.slug,
        "match_length": invite.match_length,
        "created_at": invite.created_at,
        "expires_at": invite.expires_at,
    }


def block_shown(block: Block) -> BlockShown:
    return {"username": block.blocked.username, "created_at": block.created_at}
