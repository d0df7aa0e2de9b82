"""Arranged matches: challenges and rematches. They are played and recorded like others, but never rated.

A challenge is a match that one player offers to another and has accepted. The other player accepts or declines it, and
the challenger can withdraw it by declining.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocks, suspensions
from accounts.queries.players import find_player
from accounts.queries.suspensions import check_not_suspended
from accounts.services.locking import lock_accounts
from common.errors import Conflict, Forbidden, NotFound
from events.services import writing as events
from ladder import event_kinds
from ladder.models import Ladder, Match
from ladder.rules.match_life import PLAYABLE, State
from ladder.rules.ranked import Origin
from ladder.services.matches import notifications, offers
from matchmaking.limits import MAX_OPEN_CHALLENGES, REMATCH_PERIOD

_RELATED = ("ladder", "player_one", "player_two")


@transaction.atomic
def challenge(account: User, opponent: str, ladder: Ladder, *, match_length: int) -> tuple[Match, bool]:
    """Challenge a player to an unrated match. Returns the match, and if it is new.

    The same challenge again returns the open one. Raises ``Invalid`` for a match that is not possible, ``NotFound`` for
    an unknown player, ``Forbidden`` if one of the two is suspended or has blocked the other, and ``Conflict`` if the
    other player has sent the same challenge, or with too many open challenges.
    """
    rival = find_player(opponent)
    offers.check_opponent(account, rival, field="opponent")
    check_may_meet(account, rival)
    same = {"ladder": ladder, "match_length": match_length, "origin": Origin.CHALLENGE}
    if mine := _open().filter(player_one=account, player_two=rival, **same).first():
        return mine, False
    if theirs := _open().filter(player_one=rival, player_two=account, **same).first():
        raise Conflict(
            "challenge_open", _("This player has challenged you to the same: accept match %(id)s.") % {"id": theirs.pk}
        )
    if _open().filter(player_one=account, origin=Origin.CHALLENGE).count() >= MAX_OPEN_CHALLENGES:
        text = _("You have %(most)d open challenges already.") % {"most": MAX_OPEN_CHALLENGES}
        raise Conflict("too_many_challenges", text)
    return _propose(ladder, account, rival, match_length=match_length, origin=Origin.CHALLENGE), True


@transaction.atomic
def rematch(match_id: UUID, account: User) -> tuple[Match, bool]:
    """Propose another match of the same length. Returns the match, and if it is new.

    If the opponent has proposed it already, this accepts it. Raises ``Forbidden`` for accounts that did not play the
    match and if one has blocked the other, and ``Conflict`` if the match is not confirmed or ended too long ago.
    """
    played = Match.objects.select_related(*_RELATED).filter(pk=match_id).first()
    if played is None:
        raise NotFound("match_not_found", _("There is no such match."))
    seat = played.seat_of(account.pk)
    if seat is None:
        raise Forbidden("not_your_match", _("You do not play in this match."))
    if played.state != State.CONFIRMED or played.finished_at is None:
        raise Conflict("match_not_finished", _("A rematch is possible only after a confirmed match."))
    if played.finished_at < timezone.now() - REMATCH_PERIOD:
        raise Conflict("rematch_too_late", _("A rematch can be proposed within half an hour after the match."))
    rival = played.player_two if seat == 1 else played.player_one
    check_may_meet(account, rival)
    between = Q(player_one=account, player_two=rival) | Q(player_one=rival, player_two=account)
    same = {"ladder": played.ladder, "match_length": played.match_length, "origin": Origin.REMATCH}
    started = Match.objects.filter(between, **same, state__in=PLAYABLE, created_at__gte=played.finished_at)
    again = _open().filter(between, **same).first() or started.select_related(*_RELATED).first()
    if again is None:
        return _propose(played.ladder, account, rival, match_length=played.match_length, origin=Origin.REMATCH), True
    if again.state == State.OFFERED and again.player_one_id != account.pk:
        again = offers.accept(again.pk, account).match
    return again, False


def propose_to(ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta) -> Match:
    """Create an unrated match that ``one`` offers to ``two`` and has accepted, in the caller's transaction."""
    match = offers.offer_match(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    match.one_accepted_at = match.created_at
    match.save(update_fields=["one_accepted_at"])
    return match


def _propose(ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin) -> Match:
    lasts = timedelta(minutes=settings.CHALLENGE_MINUTES)
    match = propose_to(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    notifications.notify_players(
        match, event_kinds.MATCH_OFFERED, by=one.pk, unrated_reason=match.unrated_reason,
        expires_at=events.iso_time(match.expires_at),
    )  # fmt: skip
    return match


def _open() -> QuerySet[Match]:
    """Offers that can still be accepted."""
    offered = Match.objects.filter(state=State.OFFERED, expires_at__gt=timezone.now())
    return offered.select_related(*_RELATED).order_by("pk")


def check_may_meet(account: User, rival: User) -> None:
    """Raises ``Forbidden`` if the player is suspended or cannot play against the other.

    Locks both accounts until the transaction ends. So two requests of these players, or a block, wait for each other.
    """
    accounts = lock_accounts(account.pk, rival.pk)
    check_not_suspended(account)
    open_accounts = len(accounts) == 2 and all(it.is_active for it in accounts)
    if not open_accounts or blocks.is_between(account.pk, rival.pk) or suspensions.is_any_suspended(rival.pk):
        # One message for all reasons, so that it does not show a block.
        raise Forbidden("cannot_challenge", _("You cannot ask this player for a match."))
