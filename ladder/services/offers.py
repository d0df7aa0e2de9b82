"""How a match comes to be."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ladder.models import Ladder, Match, Standing, User
from ladder.rules.fibs import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.ranked import Origin, unrated_by_origin
from ladder.services import suspensions
from ladder.services.errors import Forbidden, Invalid


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


def check_pairing(one: User, two: User, match_length: int) -> None:
    """Refuse what can never be a match."""
    if one.pk == two.pk:
        raise Invalid("self_match", _("A player cannot play against himself."), field="players")
    if not MIN_MATCH_LENGTH <= match_length <= MAX_MATCH_LENGTH:
        raise Invalid(
            "match_length",
            _("A match is over %(least)d to %(most)d points.") % {"least": MIN_MATCH_LENGTH, "most": MAX_MATCH_LENGTH},
            field="match_length",
        )


def ensure_standings(ladder: Ladder, player_ids: list[int]) -> None:
    """Give each player a standing on the ladder, before his first ranked match is there to be settled.

    Settlement then finds both rows to lock. Creating them there, while one of the two is locked, could deadlock.
    """
    start = ladder.rules.start
    Standing.objects.bulk_create(
        [
            Standing(ladder=ladder, player_id=player_id, rating=start, peak_rating=start)
            for player_id in sorted(player_ids)
        ],
        ignore_conflicts=True,
    )
