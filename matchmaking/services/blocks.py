"""Blocks: whom a player never wants to meet."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ladder.models import Match, User
from ladder.rules.match_life import State
from ladder.services.accounts import find_player
from ladder.services.errors import Conflict, Invalid, NotFound
from ladder.services.locking import lock_accounts
from matchmaking.models import Block
from matchmaking.services.reaching import give_up

MOST = 1000


def block(account: User, username: str) -> None:
    """Keep the player of that name away, from now on.

    What is offered between the two is declined, with what that costs: blocking is no way to pick one's opponents.

    Repeating it changes nothing. Raises ``NotFound``, ``Invalid`` for oneself, and ``Conflict`` beyond a thousand.

    One transaction for the block and one for each offer: from the first on, none of the offers can be accepted.
    """
    other = find_player(username)
    if other.pk == account.pk:
        raise Invalid("own_account", _("Nobody blocks himself."), field="username")
    _store(account, other)
    between = Q(player_one=account, player_two=other) | Q(player_one=other, player_two=account)
    for match_id in list(Match.objects.filter(between, state=State.OFFERED).values_list("pk", flat=True)):
        with suppress(Conflict):  # it has started or ended meanwhile
            give_up(match_id, account)


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


def blocks_of(account: User) -> QuerySet[Block]:
    """Whom the player has blocked."""
    return Block.objects.select_related("blocked").filter(account=account)


def is_between(one: int, two: int) -> bool:
    """Whether one of these two accounts has blocked the other."""
    return Block.objects.filter(Q(account=one, blocked=two) | Q(account=two, blocked=one)).exists()
