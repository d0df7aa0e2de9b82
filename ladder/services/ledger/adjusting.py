"""Ledger entries without a match: corrections by operators, and imported ratings."""

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
from ladder.limits import MAX_EXPERIENCE, MAX_POINTS
from ladder.models import Ladder, RatingEntry, Standing
from ladder.rules.rounding import CENT
from ladder.services.ledger.appending import append
from ladder.services.ledger.locking import LockedStanding, lock_standings


@transaction.atomic
def adjust(standing: Standing, *, actor: User, points: Decimal, experience: int = 0, reason: str) -> RatingEntry:
    """Add ``points`` and ``experience``, which can be negative, to a standing. The player is notified.

    Raises ``Forbidden`` unless ``actor`` is a superuser. Raises ``Invalid`` without a reason, for points with more than
    two decimal places or beyond ``MAX_POINTS``, if both are 0, and if the experience would be out of range.
    """
    if not (actor.is_active and actor.is_superuser):
        raise Forbidden("not_a_superuser", _("Only superusers can adjust ratings."))
    if not reason.strip():
        raise Invalid("reason_required", _("A reason is required. The players can read it."), field="reason")
    _check_points(points, "points")
    if points == 0 and experience == 0:
        raise Invalid("nothing_to_adjust", _("Enter points or experience to add."), field="points")
    ladder = Ladder.objects.get(pk=standing.ladder_id)
    locked = _lock(ladder, standing.player_id)
    if locked.experience + experience < 0:
        raise Invalid("experience_below_zero", _("Experience cannot be below zero."), field="experience")
    if locked.experience + experience > MAX_EXPERIENCE:
        raise Invalid("experience_too_high", _("The experience is too high."), field="experience")
    entry = _append(ladder, locked, RatingEntry.Kind.ADJUSTMENT, locked.rating + points, experience, actor, reason)
    audit.record(actor, "rating.adjust", standing, reason=reason, data={"entry": entry.pk, "points": str(points)})
    rating = {"before": str(entry.before), "delta": str(entry.delta), "after": str(entry.after)}
    data = {"ladder": ladder.slug, "rating": rating, "reason": reason}
    events.write_events(event_kinds.RATING_ADJUSTED, {standing.player_id: data})
    return entry


@transaction.atomic
def import_rating(
    ladder: Ladder, player_id: int, *, rating: Decimal, experience: int, reason: str, actor: User | None = None
) -> RatingEntry:
    """Set the first rating of a player who has a standing on the ladder and no ledger entries.

    Raises ``Invalid`` for a rating with more than two decimal places or beyond ``MAX_POINTS``, and for experience below
    zero. Raises ``Conflict`` if the player has ledger entries.
    """
    _check_points(rating, "rating")
    if experience < 0:
        raise Invalid("experience_below_zero", _("Experience cannot be below zero."), field="experience")
    locked = _lock(ladder, player_id)
    if locked.last_sequence:
        raise Conflict("ledger_has_begun", _("The player already has ledger entries on this ladder."))
    locked.peak_rating = max(locked.rating, rating)
    return _append(ladder, locked, RatingEntry.Kind.IMPORT, rating, experience, actor, reason)


def _check_points(points: Decimal, field: str) -> None:
    if not points.is_finite() or points != points.quantize(CENT) or abs(points) > MAX_POINTS:
        raise Invalid("bad_points", _("Enter at most a million points, with at most two decimal places."), field=field)


def _lock(ladder: Ladder, player_id: int) -> LockedStanding:
    locked = lock_standings([ladder.pk], [player_id])
    if not locked:
        raise NotFound("standing_not_found", _("There is no such standing."))
    return locked[ladder.pk, player_id]


def _append(
    ladder: Ladder, locked: LockedStanding, kind: RatingEntry.Kind, rating: Decimal, experience: int,
    actor: User | None, reason: str,
) -> RatingEntry:  # fmt: skip
    entry = RatingEntry(
        standing_id=locked.id,
        sequence=locked.last_sequence + 1,
        kind=kind,
        before=locked.rating,
        delta=rating - locked.rating,
        after=rating,
        experience_before=locked.experience,
        experience_after=locked.experience + experience,
        rule_set=ladder.rule_set,
        rule_set_version=ladder.rule_set_version,
        actor=actor,
        reason=reason,
        created_at=timezone.now(),
    )
    locked.add(entry, finished_at=None)
    append([entry], [locked])
    return entry
