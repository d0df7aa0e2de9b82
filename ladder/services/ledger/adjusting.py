"""Entries without a match: a correction by an operator, and the rating that a player brings from elsewhere."""

from __future__ import annotations

from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common.errors import Conflict, Forbidden, Invalid, NotFound
from events.services import writing as events
from ladder import event_kinds
from ladder.models import Ladder, RatingEntry, Standing
from ladder.rules.rounding import CENT
from ladder.services.ledger.appending import append
from ladder.services.ledger.locking import LockedStanding, lock_standings

# The widest change that the ledger's columns hold, with room for what comes after it.
MOST_POINTS = Decimal(1_000_000)


@transaction.atomic
def adjust(standing: Standing, *, actor: User, points: Decimal, experience: int = 0, reason: str) -> RatingEntry:
    """Correct a standing by so many points, and by so much experience, up or down. The player is notified.

    Raises ``Forbidden`` for anybody but a superuser, and ``Invalid`` without a reason, for points with more than two
    places or beyond a million, for a change of nothing, and for experience below zero.
    """
    if not (actor.is_active and actor.is_superuser):
        raise Forbidden("not_a_superuser", _("Only superusers adjust ratings."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")
    _check_points(points, "points")
    if points == 0 and experience == 0:
        raise Invalid("nothing_to_adjust", _("An adjustment changes something."), field="points")
    ladder = Ladder.objects.get(pk=standing.ladder_id)
    held = _lock(ladder, standing.player_id)
    if held.experience + experience < 0:
        raise Invalid("experience_below_zero", _("Experience is never below zero."), field="experience")
    entry = _append(ladder, held, RatingEntry.Kind.ADJUSTMENT, held.rating + points, experience, actor, reason)
    audit.record(actor, "rating.adjust", standing, reason=reason, data={"entry": entry.pk, "points": str(points)})
    rating = {"before": str(entry.before), "delta": str(entry.delta), "after": str(entry.after)}
    data = {"ladder": ladder.slug, "rating": rating, "reason": reason}
    events.write_events(event_kinds.RATING_ADJUSTED, {standing.player_id: data})
    return entry


@transaction.atomic
def bring_rating(
    ladder: Ladder, player_id: int, *, rating: Decimal, experience: int, reason: str, actor: User | None = None
) -> RatingEntry:
    """Let a player begin on the ladder with a rating from elsewhere. They have a standing there, and no entry yet.

    Raises ``Invalid`` for a rating with more than two places or beyond a million and for experience below zero, and
    ``Conflict`` for somebody whose ledger has begun.
    """
    _check_points(rating, "rating")
    if experience < 0:
        raise Invalid("experience_below_zero", _("Experience is never below zero."), field="experience")
    held = _lock(ladder, player_id)
    if held.last_sequence:
        raise Conflict("ledger_has_begun", _("Whoever has a ledger entry already cannot bring a rating."))
    held.peak_rating = max(held.rating, rating)
    return _append(ladder, held, RatingEntry.Kind.IMPORT, rating, experience, actor, reason)


def _check_points(points: Decimal, field: str) -> None:
    if not points.is_finite() or points != points.quantize(CENT) or abs(points) > MOST_POINTS:
        raise Invalid("bad_points", _("Points have two places at most, and are a million at most."), field=field)


def _lock(ladder: Ladder, player_id: int) -> LockedStanding:
    held = lock_standings([ladder.pk], [player_id])
    if not held:
        raise NotFound("standing_not_found", _("There is no such standing."))
    return held[ladder.pk, player_id]


def _append(
    ladder: Ladder, held: LockedStanding, kind: RatingEntry.Kind, rating: Decimal, experience: int, actor: User | None,
    reason: str,
) -> RatingEntry:  # fmt: skip
    entry = RatingEntry(
        standing_id=held.id,
        sequence=held.last_sequence + 1,
        kind=kind,
        before=held.rating,
        delta=rating - held.rating,
        after=rating,
        experience_before=held.experience,
        experience_after=held.experience + experience,
        rule_set=ladder.rule_set,
        rule_set_version=ladder.rule_set_version,
        actor=actor,
        reason=reason,
        created_at=timezone.now(),
    )
    held.add(entry, finished_at=None)
    append([entry], [held])
    return entry
