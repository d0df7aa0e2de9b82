"""Offering a match; accepting, declining and cancelling the offer.

Each public function is one transaction. A repeated call changes nothing and returns the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import blocks, suspensions
from accounts.queries.suspensions import check_not_suspended
from common.errors import Conflict, Forbidden, Invalid
from events.services.writing import iso_time
from ladder import event_kinds
from ladder.models import Ladder, Match, Standing
from ladder.points import LISTENERS, FieldsByAccount
from ladder.rules import match_life
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Cancel, Seat, State, Step
from ladder.rules.ranked import Origin, unrated_by_origin
from ladder.services.matches import notifications
from ladder.services.matches.life import end_match, refusals_as_conflicts, seat_of
from ladder.services.matches.locking import LockedMatch, lock_match
from ladder.services.settlement import Outcome


@transaction.atomic
def offer_match(
    ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta | None = None
) -> Match:
    """Offer a match to two players. It starts when both accept it before it expires.

    ``lasts`` is the time until it expires (default: the queue's 20 seconds). Raises ``Invalid`` if both players are the
    same, for a closed account and for a match length that is not allowed, and ``Forbidden`` for a suspended player.
    """
    check_pairing(one, two, match_length)
    if not (one.is_active and two.is_active):
        raise Invalid("account_closed", _("The account of a player is closed."), field="players")
    if suspensions.is_any_suspended(one.pk, two.pk):
        raise Forbidden("player_suspended", _("A player is suspended and cannot start matches."), field="players")
    if unrated_by_origin(origin) is None:
        ensure_standings(ladder, [one.pk, two.pk])
    match = new_offer(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    match.save(force_insert=True)
    return match


@transaction.atomic
def pair(ladder: Ladder, one: User, two: User, *, match_length: int) -> Match:
    """Offer a ranked match to two players, like matchmaking, and notify both. Raises as :func:`offer_match`."""
    match = offer_match(ladder, one, two, match_length=match_length, origin=Origin.MATCHMAKING)
    notifications.notify_players(match, event_kinds.MATCH_OFFERED, expires_at=iso_time(match.expires_at))
    return match


def new_offer(
    ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta | None = None
) -> Match:
    """The offer of :func:`offer_match` without its checks, not saved. For callers that check and save many at once."""
    now = timezone.now()
    return Match(
        ladder=ladder,
        origin=origin,
        match_length=match_length,
        player_one=one,
        player_two=two,
        unrated_reason=unrated_by_origin(origin),
        created_at=now,
        expires_at=now + (lasts or timedelta(seconds=settings.MATCH_OFFER_SECONDS)),
    )


@transaction.atomic
def accept(match_id: UUID, player: User) -> Outcome:
    """A player accepts the offer. The match starts when both have accepted.

    If the two may not play against each other any more (one is suspended, closed the account or blocked the other), the
    offer is cancelled instead. Raises ``Forbidden`` if the player is suspended, and ``Conflict`` if the offer has
    expired.
    """
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, player)
    now = timezone.now()
    with refusals_as_conflicts():
        decision = match_life.accept(locked.for_rules(), seat)
    if decision.step == Step.NOTHING:
        return Outcome(match, changed=False)
    if match.expires_at is not None and match.expires_at <= now:
        raise Conflict("offer_expired", _("The offer has expired."))
    check_not_suspended(player)
    if _may_not_play(match):
        cancel_offer(locked, Cancel.CALLED_OFF)
        return Outcome(match)
    if seat == 1:
        match.one_accepted_at = now
    else:
        match.two_accepted_at = now
    if decision.step == Step.START:
        match.state = State.IN_PROGRESS
        match.started_at = now
        match.expires_at = now + timedelta(hours=settings.MATCH_EXPIRY_HOURS)
    match.save(update_fields=["state", "one_accepted_at", "two_accepted_at", "started_at", "expires_at"])
    if decision.step == Step.START:
        for listener in LISTENERS:
            listener.match_started(match)
        notifications.notify_players(match, event_kinds.MATCH_STARTED)
    else:
        notifications.notify_players(match, event_kinds.OFFER_ACCEPTED, by=player.pk)
    return Outcome(match)


@transaction.atomic
def decline(match_id: UUID, player: User) -> Outcome:
    """A player declines the offer, and the match is cancelled. After the offer's time, it counts as expired."""
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, player)
    with refusals_as_conflicts():
        decision = match_life.decline(locked.for_rules())
    if decision.step == Step.NOTHING:
        return Outcome(match, changed=False)
    _cancel_by_player(locked, seat, Cancel.DECLINED)
    return Outcome(match)


@transaction.atomic
def withdraw(match_id: UUID, player: User) -> bool:
    """Cancel an offer, because the player left the queue before seeing it. False if there is no open offer."""
    locked = lock_match(match_id)
    seat = seat_of(locked, player)
    if locked.match.state != State.OFFERED:
        return False
    _cancel_by_player(locked, seat, Cancel.CALLED_OFF)
    return True


def _cancel_by_player(locked: LockedMatch, seat: Seat, reason: Cancel) -> None:
    """Cancel the offer for this reason, or as expired if its time is over."""
    expires_at = locked.match.expires_at
    if expires_at is not None and expires_at <= timezone.now():
        cancel_offer(locked, Cancel.OFFER_EXPIRED)
    else:
        cancel_offer(locked, reason, by=seat)


@transaction.atomic
def cancel_if_not_allowed(match_id: UUID) -> bool:
    """Cancel an offer if its players may not play against each other any more. Returns whether it was cancelled."""
    locked = lock_match(match_id)
    if locked.match.state != State.OFFERED or not _may_not_play(locked.match):
        return False
    cancel_offer(locked, Cancel.CALLED_OFF)
    return True


def cancel_offer(locked: LockedMatch, reason: Cancel, *, by: Seat | None = None) -> None:
    """Cancel a locked offer. ``by`` is the player who did it, if one did."""
    match = locked.match
    end_match(match, State.CANCELLED, reason)
    extra = [listener.match_cancelled(match, reason, by) for listener in LISTENERS]
    fields = {"by": locked.player_id(by)} if by and reason == Cancel.DECLINED else {}
    notifications.notify_players(match, _EVENT_KINDS[reason], merge_fields(extra), **fields)


_EVENT_KINDS = {
    Cancel.DECLINED: event_kinds.OFFER_DECLINED,
    Cancel.OFFER_EXPIRED: event_kinds.OFFER_EXPIRED,
    Cancel.CALLED_OFF: event_kinds.OFFER_CALLED_OFF,
}


def merge_fields(several: Iterable[FieldsByAccount]) -> FieldsByAccount:
    """The event fields of several listeners, merged by account."""
    merged: dict[int, dict[str, object]] = {}
    for fields_by_account in several:
        for account, fields in fields_by_account.items():
            merged.setdefault(account, {}).update(fields)
    return merged


def _may_not_play(match: Match) -> bool:
    players = (match.player_one_id, match.player_two_id)
    closed = User.objects.filter(pk__in=players, is_active=False)
    return suspensions.is_any_suspended(*players) or closed.exists() or blocks.is_between(*players)


def check_pairing(one: User, two: User, match_length: int) -> None:
    """Raise ``Invalid`` for players or a match length that no match can have."""
    check_opponent(one, two, field="players")
    if not MIN_MATCH_LENGTH <= match_length <= MAX_MATCH_LENGTH:
        raise Invalid(
            "match_length",
            _("A match length is %(least)d to %(most)d points.")
            % {"least": MIN_MATCH_LENGTH, "most": MAX_MATCH_LENGTH},
            field="match_length",
        )


def check_opponent(account: User, opponent: User, *, field: str) -> None:
    """Raise ``Invalid`` if the account and the opponent are the same. ``field`` is the field of the error."""
    if account.pk == opponent.pk:
        raise Invalid("self_match", _("A player cannot play against themselves."), field=field)


def ensure_standings(ladder: Ladder, player_ids: list[int]) -> None:
    """Create the missing standings of the players on the ladder and its overall ladder.

    This is done before a settlement, because creating rows while others are locked can cause a deadlock.
    """
    for each in [ladder] if ladder.overall is None else [ladder, ladder.overall]:
        found = Standing.objects.filter(ladder=each, player__in=player_ids).values_list("player_id", flat=True)
        existing, start = set(found), each.rules.start
        Standing.objects.bulk_create(
            [
                Standing(ladder=each, player_id=player_id, rating=start, peak_rating=start)
                for player_id in sorted(player_ids)
                if player_id not in existing
            ],
            ignore_conflicts=True,
        )
