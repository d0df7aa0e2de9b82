"""Blocks: whom a player never wants to meet."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction
from django.utils.translation import gettext as _

from ladder.models import User
from ladder.queries.players import player as find_player
from ladder.services import reporting
from ladder.services.errors import Conflict, Invalid
from matchmaking.models import Block
from matchmaking.services.arranged import hold, open_between

MOST = 1000


def block(account: User, username: str) -> None:
    """Keep the player of that name away, from now on; what one of the two has proposed to the other is declined.

    Repeating it changes nothing. Raises ``NotFound``, ``Invalid`` for oneself, and ``Conflict`` beyond a thousand.
    """
    other = find_player(username)
    if other.pk == account.pk:
        raise Invalid("own_account", _("Nobody blocks himself."), field="username")
    _store(account, other)
    for match in list(open_between(account, other)):
        with suppress(Conflict):  # it has started or ended meanwhile
            reporting.decline(match.pk, account)


@transaction.atomic
def _store(account: User, other: User) -> None:
    hold(account, other)
    blocks = Block.objects.filter(account=account)
    if blocks.filter(blocked=other).exists():
        return
    if blocks.count() >= MOST:
        raise Conflict("too_many_blocks", _("You have blocked %(most)d players already.") % {"most": MOST})
    Block.objects.create(account=account, blocked=other)


def unblock(account: User, username: str) -> None:
    """Let both meet again. Without effect where there is no block. Raises ``NotFound`` for an unknown player."""
    Block.objects.filter(account=account, blocked=find_player(username)).delete()
