"""Invites: a secret token with which another player can start an unrated match, once, until it expires."""

from __future__ import annotations

import secrets
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.locking import lock_accounts
from common.errors import Conflict, NotFound
from ladder.models import Ladder, Match
from ladder.rules.ranked import Origin
from ladder.services.matches import offers
from ladder.services.matches.eligibility import lock_player
from matchmaking.limits import INVITE_OFFER_TIME, MAX_OPEN_INVITES
from matchmaking.models import Invite
from matchmaking.services.arranged import check_may_meet, propose_to


@transaction.atomic
def create(account: User, ladder: Ladder, *, match_length: int) -> tuple[Invite, str]:
    """Create an invite to an unrated match. Returns it and its token, of which only the hash is stored.

    Raises ``Forbidden`` for a suspended player, and ``Conflict`` with too many open invites.
    """
    lock_player(account)  # so that two requests cannot exceed the limit
    if open_invites(account).count() >= MAX_OPEN_INVITES:
        raise Conflict("too_many_invites", _("You have %(most)d open invites already.") % {"most": MAX_OPEN_INVITES})
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    invite = Invite.objects.create(
        account=account, ladder=ladder, match_length=match_length, token_hash=_hash(token), created_at=now,
        expires_at=now + timedelta(hours=settings.INVITE_HOURS),
    )  # fmt: skip
    return invite, token


@transaction.atomic
def accept(account: User, token: str) -> Match:
    """Use an invite: the match starts at once. Repeating it returns the same match.

    Raises ``NotFound`` for an unknown or withdrawn token, ``Conflict`` if another player has used it or it has expired,
    ``Invalid`` for one's own invite, and ``Forbidden`` if one of the two is suspended or has blocked the other.
    """
    usable = Invite.objects.select_related("account", "ladder").filter(
        token_hash=_hash(token), withdrawn_at__isnull=True, account__is_active=True
    )
    found = usable.first()
    if found is not None:
        lock_accounts(found.account_id, account.pk)
    invite = usable.select_for_update(of=("self",)).first()
    if invite is None:
        raise NotFound("invite_not_found", _("There is no such invite."))
    if invite.match_id is not None:
        # A new query, because rows that are joined to a locked row are read before the lock.
        played = Match.objects.select_related("ladder", "player_one", "player_two").get(pk=invite.match_id)
        if played.player_two_id == account.pk:
            return played
        raise Conflict("invite_used", _("The invite has been used."))
    now = timezone.now()
    if invite.expires_at <= now:
        raise Conflict("invite_expired", _("The invite has expired."))
    offers.check_opponent(account, invite.account, field="token")
    check_may_meet(account, invite.account)
    match = propose_to(
        invite.ladder,
        invite.account,
        account,
        match_length=invite.match_length,
        origin=Origin.INVITE,
        lasts=INVITE_OFFER_TIME,
    )
    invite.used_at, invite.match = now, match
    invite.save(update_fields=["used_at", "match"])
    return offers.accept(match.pk, account).match


def withdraw(account: User, invite_id: UUID) -> None:
    """Withdraw one's own invite. Repeating it changes nothing.

    Raises ``NotFound``, also for another player's invite, and ``Conflict`` if it was used.
    """
    own = Invite.objects.filter(pk=invite_id, account=account)
    if not own.exists():
        raise NotFound("invite_not_found", _("There is no such invite."))
    if own.filter(used_at__isnull=True, withdrawn_at__isnull=True).update(withdrawn_at=timezone.now()):
        return
    if own.filter(used_at__isnull=False).exists():
        raise Conflict("invite_used", _("The invite has been used."))


def open_invites(account: User) -> QuerySet[Invite]:
    """The invites of a player that can still be used."""
    usable = Q(used_at__isnull=True, withdrawn_at__isnull=True, expires_at__gt=timezone.now())
    return Invite.objects.select_related("ladder").filter(usable, account=account)


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()
