"""Offers: how a match comes to be, and whether it starts.

Each public function is one transaction. A repeated call changes nothing and answers with the match as it is.
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
from ladder.points import LISTENERS, NotesByAccount
from ladder.rules import match_life
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Cancel, Seat, State, Step
from ladder.rules.ranked import Origin, unrated_by_origin
from ladder.services.matches import events as news
from ladder.services.matches.life import end, life, seat_of
from ladder.services.matches.locking import LockedMatch, lock_match
from ladder.services.settlement import Outcome


@transaction.atomic
def offer_match(
    ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta | None = None
) -> Match:
    """Offer a match to two players, to be accepted by both before the offer expires.

    ``lasts`` is for how long it can be accepted (default: the queue's 20 seconds). Raises ``Invalid`` for a player
    against himself, for a closed account and for a match length outside 1 to 99, ``Forbidden`` for a suspended player.
    """
    check_pairing(one, two, match_length)
    if not (one.is_active and two.is_active):
        raise Invalid("account_closed", _("The account of a player is closed."), field="players")
    if suspensions.is_any_suspended(one.pk, two.pk):
        raise Forbidden("player_suspended", _("A player is suspended and starts no matches."), field="players")
    if unrated_by_origin(origin) is None:
        ensure_standings(ladder, [one.pk, two.pk])
    match = new_offer(ladder, one, two, match_length=match_length, origin=origin, lasts=lasts)
    match.save(force_insert=True)
    return match


@transaction.atomic
def pair(ladder: Ladder, one: User, two: User, *, match_length: int) -> Match:
    """Offer two players a ranked match by hand, as the queue would; both hear of it. Raises as ``offer_match`` does."""
    match = offer_match(ladder, one, two, match_length=match_length, origin=Origin.MATCHMAKING)
    news.tell_players(match, event_kinds.MATCH_OFFERED, expires_at=iso_time(match.expires_at))
    return match


def new_offer(
    ladder: Ladder, one: User, two: User, *, match_length: int, origin: Origin, lasts: timedelta | None = None
) -> Match:
    """The offer that :func:`offer_match` makes, not stored yet: for whoever has seen to the rest and stores many."""
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
    """A player accepts the offer; with the second acceptance the match starts.

    Should the two not meet any more (one was suspended, has closed his account or blocked the other), the offer is
    called off instead.
    Raises ``Forbidden`` for a player who is suspended himself, and ``Conflict`` when the time is over.
    """
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, player)
    now = timezone.now()
    with life():
        verdict = match_life.accept(locked.life(), seat)
    if verdict.step == Step.NOTHING:
        return Outcome(match, changed=False)
    if match.expires_at is not None and match.expires_at <= now:
        raise Conflict("offer_expired", _("The offer has expired."))
    check_not_suspended(player)
    if _must_not_start(match):
        call_off(locked, Cancel.CALLED_OFF)
        return Outcome(match)
    if seat == 1:
        match.one_accepted_at = now
    else:
        match.two_accepted_at = now
    if verdict.step == Step.START:
        match.state = State.IN_PROGRESS
        match.started_at = now
        match.expires_at = now + timedelta(hours=settings.MATCH_EXPIRY_HOURS)
    match.save(update_fields=["state", "one_accepted_at", "two_accepted_at", "started_at", "expires_at"])
    if verdict.step == Step.START:
        for listener in LISTENERS:
            listener.match_started(match)
        news.tell_players(match, event_kinds.MATCH_STARTED)
    else:
        news.tell_players(match, event_kinds.OFFER_ACCEPTED, by=player.pk)
    return Outcome(match)


@transaction.atomic
def decline(match_id: UUID, player: User) -> Outcome:
    """A player declines the offer: the match is cancelled. Once the time is over, it has expired instead."""
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, player)
    with life():
        verdict = match_life.decline(locked.life())
    if verdict.step == Step.NOTHING:
        return Outcome(match, changed=False)
    _end_by(locked, seat, Cancel.DECLINED)
    return Outcome(match)


@transaction.atomic
def leave(match_id: UUID, player: User) -> bool:
    """A player goes who has not heard of the offer: it is called off. False when there is nothing to call off."""
    locked = lock_match(match_id)
    seat = seat_of(locked, player)
    if locked.match.state != State.OFFERED:
        return False
    _end_by(locked, seat, Cancel.CALLED_OFF)
    return True


def _end_by(locked: LockedMatch, seat: Seat, reason: Cancel) -> None:
    """One player's word ends the offer, unless its time was over before."""
    expires_at = locked.match.expires_at
    if expires_at is not None and expires_at <= timezone.now():
        call_off(locked, Cancel.OFFER_EXPIRED)
    else:
        call_off(locked, reason, by=seat)


@transaction.atomic
def recall(match_id: UUID) -> bool:
    """Call an offer off because the two must not meet any more; False when there is nothing to call off."""
    locked = lock_match(match_id)
    if locked.match.state != State.OFFERED or not _must_not_start(locked.match):
        return False
    call_off(locked, Cancel.CALLED_OFF)
    return True


def call_off(locked: LockedMatch, reason: Cancel, *, by: Seat | None = None) -> None:
    """Cancel a locked offer. ``by`` is whose doing it is, if anybody's."""
    match = locked.match
    end(match, State.CANCELLED, reason)
    besides = [listener.match_cancelled(match, reason, by) for listener in LISTENERS]
    more = {"by": locked.player_id(by)} if by and reason == Cancel.DECLINED else {}
    news.tell_players(match, _HEARD[reason], together(besides), **more)


_HEARD = {
    Cancel.DECLINED: event_kinds.OFFER_DECLINED,
    Cancel.OFFER_EXPIRED: event_kinds.OFFER_EXPIRED,
    Cancel.CALLED_OFF: event_kinds.OFFER_CALLED_OFF,
}


def together(notes: Iterable[NotesByAccount]) -> NotesByAccount:
    """What several listeners tell the same accounts, as one."""
    merged: dict[int, dict[str, object]] = {}
    for one in notes:
        for account, more in one.items():
            merged.setdefault(account, {}).update(more)
    return merged


def _must_not_start(match: Match) -> bool:
    players = (match.player_one_id, match.player_two_id)
    closed = User.objects.filter(pk__in=players, is_active=False)
    return suspensions.is_any_suspended(*players) or closed.exists() or blocks.is_between(*players)


def check_pairing(one: User, two: User, match_length: int) -> None:
    """Refuse what can never be a match."""
    check_opponent(one, two, field="players")
    if not MIN_MATCH_LENGTH <= match_length <= MAX_MATCH_LENGTH:
        raise Invalid(
            "match_length",
            _("A match is over %(least)d to %(most)d points.") % {"least": MIN_MATCH_LENGTH, "most": MAX_MATCH_LENGTH},
            field="match_length",
        )


def check_opponent(account: User, opponent: User, *, field: str) -> None:
    """Raises ``Invalid`` for a player against himself, naming the field that says so."""
    if account.pk == opponent.pk:
        raise Invalid("self_match", _("A player cannot play against himself."), field=field)


def ensure_standings(ladder: Ladder, player_ids: list[int]) -> None:
    """Give each player a standing on the ladder and its overall ladder, before a ranked match of theirs settles there.

    Settlement then finds all rows to lock. Creating them there, while some are locked, could deadlock.
    """
    for each in [ladder] if ladder.overall is None else [ladder, ladder.overall]:
        found = Standing.objects.filter(ladder=each, player__in=player_ids).values_list("player_id", flat=True)
        there, start = set(found), each.rules.start
        Standing.objects.bulk_create(
            [
                Standing(ladder=each, player_id=player_id, rating=start, peak_rating=start)
                for player_id in sorted(player_ids)
                if player_id not in there
            ],
            ignore_conflicts=True,
        )
