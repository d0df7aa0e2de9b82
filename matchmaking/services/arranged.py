"""Arranged play: challenges and rematches. Such a match is played and recorded like any other, and never rated.

A challenge is a match that one player offers to another and has accepted himself. There is nothing else to it: the
other accepts or declines the match, and whoever proposed it can take it back by declining.
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

MOST_OPEN = 10
REMATCH_WITHIN = timedelta(minutes=30)
_SHOWN = ("ladder", "player_one", "player_two")


@transaction.atomic
def challenge(account: User, opponent: str, ladder: Ladder, *, match_length: int) -> tuple[Match, bool]:
    """Challenge a player, by username, to an unrated match; the match, and whether it is a new one.

    Who asks for the same again gets the challenge that is open. Raises ``Invalid`` for a match that cannot be,
    ``NotFound`` for an unknown player, ``Forbidden`` where one of the two is suspended or has blocked the other, and
    ``Conflict`` when the other has proposed the same already, or for too many open challenges.
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
    if _open().filter(player_one=account, origin=Origin.CHALLENGE).count() >= MOST_OPEN:
        raise Conflict("too_many_challenges", _("You have %(most)d open challenges already.") % {"most": MOST_OPEN})
    return _propose(ladder, account, rival, match_length=match_length, origin=Origin.CHALLENGE), True


@transaction.atomic
def rematch(match_id: UUID, account: User) -> tuple[Match, bool]:
    """Propose to play again, over the same length; the match, and whether it is a new one.

    Whom his opponent has asked already accepts by asking. Raises ``Forbidden`` for a stranger to the match and where
    one has blocked the other, and ``Conflict`` for a match that is not confirmed or was long ago.
    """
    played = Match.objects.select_related(*_SHOWN).filter(pk=match_id).first()
    if played is None:
        raise NotFound("match_not_found", _("There is no such match."))
    seat = played.seat_of(account.pk)
    if seat is None:
        raise Forbidden("not_your_match", _("You do not play in this match."))
    if played.state != State.CONFIRMED or played.finished_at is None:
        raise Conflict("match_not_finished", _("There is no confirmed match to play again."))
    if played.finished_at < timezone.now() - REMATCH_WITHIN:
        raise Conflict("rematch_too_late", _("A rematch can be asked for within half an hour."))
    rival = played.player_two if seat == 1 else played.player_one
    check_may_meet(account, rival)
    between = Q(player_one=account, player_two=rival) | Q(player_one=rival, player_two=account)
    same = {"ladder": played.ladder, "match_length": played.match_length, "origin": Origin.REMATCH}
    begun = Match.objects.filter(between, **same, state__in=PLAYABLE, created_at__gte=played.finished_at)
    again = _open().filter(between, **same).first() or begun.select_related(*_SHOWN).first()
    if again is None:
        return _propose(played.ladder, account, rival, match_length=played.match_length, origin=Origin.REMATCH), True
    if again.state == State.OFFERED and again.player_one_id != account.pk:
        again = offers.accept(again.pk, account).match
    return again, False


def propose_to(ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta) -> Match:
    """An unrated match that ``one`` offers to ``two``, and has accepted, in the caller's transaction."""
    match = offers.offer_match(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    match.one_accepted_at = match.created_at
    match.save(update_fields=["one_accepted_at"])
    return match


def _propose(ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin) -> Match:
    lasts = timedelta(minutes=settings.CHALLENGE_MINUTES)
    match = propose_to(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    notifications.notify_players(
        match, event_kinds.MATCH_OFFERED, by=one.pk, unrated_reason=match.unrated_reason,
        expires_at=events.moment(match.expires_at),
    )  # fmt: skip
    return match


def _open() -> QuerySet[Match]:
    """Offers that can still be accepted."""
    offered = Match.objects.filter(state=State.OFFERED, expires_at__gt=timezone.now())
    return offered.select_related(*_SHOWN).order_by("pk")


def check_may_meet(account: User, rival: User) -> None:
    """Raises ``Forbidden`` for a suspended player, and for one who cannot ask this other one for a match.

    Holds both accounts until the transaction ends: two who ask each other at the same moment, or one who blocks the
    other meanwhile, wait for each other.
    """
    accounts = lock_accounts(account.pk, rival.pk)
    check_not_suspended(account)
    open_accounts = len(accounts) == 2 and all(it.is_active for it in accounts)
    if not open_accounts or blocks.is_between(account.pk, rival.pk) or suspensions.is_any_suspended(rival.pk):
        # One answer for all of it: nobody learns that he is blocked.
        raise Forbidden("cannot_challenge", _("You cannot ask this player for a match."))
