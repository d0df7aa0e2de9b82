"""Blocks: whom a player never wants to meet."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Block, User
from accounts.points import LISTENERS
from accounts.queries.blocks import blocks_of
from accounts.queries.players import find_player
from accounts.services.locking import lock_accounts
from common.errors import Conflict, Invalid, NotFound

MOST = 1000


def block(account: User, username: str) -> None:
    """Keep the player of that name away, from now on. Repeating it changes nothing.

    What is offered between the two is declined, with what that costs: blocking is no way to pick one's opponents.
    Raises ``NotFound``, ``Invalid`` for oneself, and ``Conflict`` beyond a thousand.

    One transaction for the block, and others for each offer: from the first on, none of the offers can be accepted.
    """
    other = find_player(username)
    if other.pk == account.pk:
        raise Invalid("own_account", _("Nobody can block themselves."), field="username")
    _store(account, other)
    for listener in LISTENERS:
        listener.blocked(account, other)


@transaction.atomic
def _store(account: User, other: User) -> None:
    if not all(it.is_active for it in lock_accounts(account.pk, other.pk)):
        raise NotFound("player_not_found", _("There is no such player."))
    blocks = blocks_of(account)
    if blocks.filter(blocked=other).exists():
        return
    if blocks.count() >= MOST:
        raise Conflict("too_many_blocks", _("You have blocked %(most)d players already.") % {"most": MOST})
    Block.objects.create(account=account, blocked=other)


def unblock(account: User, username: str) -> None:
    """Let both meet again. Without effect where there is no block. Raises ``NotFound`` for an unknown player."""
    blocks_of(account).filter(blocked=find_player(username)).delete()
