"""Invites in the answers of the API."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from common.types import Slug
from matchmaking.models import Invite


class InviteShown(TypedDict):
    """An invite that can be used until it expires."""

    id: UUID
    ladder: Slug
    match_length: int
    created_at: datetime
    expires_at: datetime


class NewInvite(InviteShown):
    """``token`` is shown only in this answer. Put it into a link for the other player."""

    token: str


class InvitePage(TypedDict):
    next: str | None
    previous: str | None
    results: list[InviteShown]


def invite_shown(invite: Invite) -> InviteShown:
    return {
        "id": invite.pk,
        "ladder": invite.ladder.slug,
        "match_length": invite.match_length,
        "created_at": invite.created_at,
        "expires_at": invite.expires_at,
    }
