"""Decay pauses: days without decay, because players could not play."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden, Invalid
from ladder.limits import MAX_PAUSE
from ladder.models import DecayPause, Ladder
from ladder.queries.decay import first_day as ladder_first_day
from ladder.queries.decay import today
from ladder.rules.calendar import ONE_DAY


@transaction.atomic
def declare_pause(ladder: Ladder, *, first_day: date, last_day: date, actor: User, reason: str) -> DecayPause:
    """Declare that the days from ``first_day`` to ``last_day``, both included, have no decay.

    Decay of these days that was run before is reversed by the next ``bring_up_to_date``, which the caller starts.
    Declaring the same days again returns the existing pause. Raises ``Forbidden``, and ``Invalid`` for days in the
    wrong order or before the ladder, for more than a year, for an end more than a year ahead, and without a reason.
    """
    _check(actor)
    if not reason.strip():
        raise Invalid("reason_required", _("A reason is required. The players can read it."), field="reason")
    if last_day < first_day:
        raise Invalid(
            "pause_ends_before_it_begins", _("The last day cannot be before the first day."), field="last_day"
        )
    if last_day > today(ladder) + MAX_PAUSE:
        raise Invalid("pause_too_far_ahead", _("The last day must be within a year from today."), field="last_day")
    if last_day - first_day > MAX_PAUSE:
        raise Invalid("pause_too_long", _("A pause cannot be longer than a year."), field="first_day")
    if first_day < ladder_first_day(ladder):
        raise Invalid("pause_before_the_ladder", _("The ladder was created after that day."), field="first_day")
    # A second request with the same days waits here.
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    if same := DecayPause.objects.filter(ladder=ladder, first_day=first_day, last_day=last_day).first():
        return same
    pause = DecayPause.objects.create(
        ladder=ladder, first_day=first_day, last_day=last_day, reason=reason, declared_by=actor,
        declared_at=timezone.now(),
    )  # fmt: skip
    audit.record(actor, "decay.pause", pause, reason=reason, data={"from": str(first_day), "to": str(last_day)})
    return pause


@transaction.atomic
def end_pause(pause: DecayPause, *, last_day: date, actor: User, reason: str) -> DecayPause:
    """End a pause earlier than declared. Past days keep their pause, because players relied on it.

    Raises ``Forbidden``, and ``Invalid`` without a reason or unless ``last_day`` is yesterday or later, and before the
    present end.
    """
    _check(actor)
    if not reason.strip():
        raise Invalid("reason_required", _("A reason is required. The players can read it."), field="reason")
    locked = DecayPause.objects.select_for_update().get(pk=pause.pk)
    earliest = earliest_end(locked)
    if not earliest <= last_day < locked.last_day:
        text = _("The new end must be from %(earliest)s to the day before %(end)s.")
        raise Invalid(
            "pause_end",
            text % {"earliest": date_format(earliest), "end": date_format(locked.last_day)},
            field="last_day",
        )
    audit.record(
        actor, "decay.end_pause", locked, reason=reason, data={"from": str(locked.last_day), "to": str(last_day)}
    )
    locked.last_day = last_day
    locked.save(update_fields=["last_day"])
    return locked


def earliest_end(pause: DecayPause) -> date:
    """The earliest day that can become the end of the pause."""
    return max(today(pause.ladder) - ONE_DAY, pause.first_day)


def can_end_early(pause: DecayPause) -> bool:
    """Whether any day can still be removed from the pause."""
    return earliest_end(pause) < pause.last_day


def _check(actor: User) -> None:
    if not (actor.is_active and actor.has_perm("ladder.add_decaypause")):
        raise Forbidden("not_a_moderator", _("Only moderators can declare pauses."))
