"""Blocking and unblocking players."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.limits import MAX_BLOCKS
from accounts.models import Block, User
from accounts.points import LISTENERS
from accounts.queries.blocks import blocks_of
from accounts.queries.players import find_player
from accounts.services.locking import lock_accounts
from common.errors import Conflict, Invalid, NotFound


def block(account: User, username: str) -> None:
    """Block a player. Repeating it changes nothing.

    An open offer between the two is declined, with the usual penalty, so that nobody blocks to choose opponents.
    Raises ``NotFound``, ``Invalid`` for one's own name, and ``Conflict`` with too many blocks.

    The block is one transaction, and each offer is declined in another. After the first, no offer can be accepted.
    """
    other = find_player(username)
    if other.pk == account.pk:
        raise Invalid("own_account", _("You cannot block yourself."), field="username")
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
    if blocks.count() >= MAX_BLOCKS:
        raise Conflict("too_many_blocks", _("You have blocked %(most)d players already.") % {"most": MAX_BLOCKS})
    Block.objects.create(account=account, blocked=other)


def unblock(account: User, username: str) -> None:
    """Remove a block, if there is one. Raises ``NotFound`` for an unknown player."""
    blocks_of(account).filter(blocked=find_player(username)).delete()
