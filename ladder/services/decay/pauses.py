"""Outages: days on which players could not play are not charged."""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden, Invalid
from ladder.models import DecayPause, Ladder
from ladder.queries.decay_progress import first_day as ladder_began
from ladder.queries.decay_progress import today
from ladder.rules.calendar import ONE_DAY

# What lies farther ahead, or is longer, is a mistyped year: it would make a ladder without decay, or give all back.
LONGEST_AHEAD = LONGEST = timedelta(days=366)


@transaction.atomic
def declare_pause(ladder: Ladder, *, first_day: date, last_day: date, actor: User, reason: str) -> DecayPause:
    """Spare the days from ``first_day`` to ``last_day``, both included, also those that were charged already.

    What was charged is given back by the next "bring up to date", which the door starts at once. Raises ``Forbidden``,
    and ``Invalid`` for days in the wrong order or before the ladder was made, more than a year of them, an end more
    than a year ahead, or a missing reason. Declaring the same days again answers with the pause that there is.
    """
    _check(actor)
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")
    if last_day < first_day:
        raise Invalid("pause_ends_before_it_begins", _("A pause ends on or after the day it begins."), field="last_day")
    if last_day > today(ladder) + LONGEST_AHEAD:
        raise Invalid("pause_too_far_ahead", _("A pause ends within a year from today."), field="last_day")
    if last_day - first_day > LONGEST:
        raise Invalid("pause_too_long", _("A pause lasts a year at most."), field="first_day")
    if first_day < ladder_began(ladder):
        raise Invalid("pause_before_the_ladder", _("The ladder was made after that day."), field="first_day")
    # Two presses of one button wait for each other here.
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
    """End a pause earlier than declared. Days that have passed stay spared: players relied on it.

    Raises ``Invalid`` unless ``last_day`` is before the declared end, and yesterday or later.
    """
    _check(actor)
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")
    held = DecayPause.objects.select_for_update().get(pk=pause.pk)
    earliest = earliest_end(held)
    if not earliest <= last_day < held.last_day:
        text = _("The new end lies between %(earliest)s and the day before %(end)s.")
        raise Invalid("pause_end", text % {"earliest": earliest, "end": held.last_day}, field="last_day")
    audit.record(actor, "decay.end_pause", held, reason=reason, data={"from": str(held.last_day), "to": str(last_day)})
    held.last_day = last_day
    held.save(update_fields=["last_day"])
    return held


def earliest_end(pause: DecayPause) -> date:
    """The earliest day on which the pause can be made to end."""
    return max(today(pause.ladder) - ONE_DAY, pause.first_day)


def may_be_ended(pause: DecayPause) -> bool:
    """Whether any day of the pause is left to be taken from it."""
    return earliest_end(pause) < pause.last_day


def _check(actor: User) -> None:
    if not (actor.is_active and actor.has_perm("ladder.add_decaypause")):
        raise Forbidden("not_a_moderator", _("Only moderators declare pauses."))
