"""Checking the standings: the sequence of their entries, and the values that result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import F

from ladder.models import Ladder, RatingEntry, Standing
from ladder.rules import decay
from ladder.rules.rule_sets import rule_set
from ladder.services.ledger.standing_state import FIELDS, StandingState
from ladder.services.verification.drift import Drift, scope, with_their_rows


def check_standings(ladder: Ladder | None, found: Callable[[Drift], object]) -> Iterator[None]:
    """Check the standings of one ladder or all. Yields after each."""
    standings = (
        Standing.objects.filter(**scope(ladder, "ladder"))
        .order_by("pk")
        .annotate(
            username=F("player__username"),
            slug=F("ladder__slug"),
            rules=F("ladder__rule_set"),
            version=F("ladder__rule_set_version"),
            options=F("ladder__rule_options"),
        )
        .values_list("pk", "username", "slug", "rules", "version", "options", *FIELDS, named=True)
    )
    entries = (
        RatingEntry.objects.filter(**scope(ladder, "standing__ladder"))
        .order_by("standing_id", "sequence")
        .annotate(
            finished_at=F("match__finished_at"),
            reversal=F("reversals__pk"),
            reversed_standing=F("reverses__standing"),
            reversed_kind=F("reverses__kind"),
            reversed_match=F("reverses__match"),
            reversed_day=F("reverses__day"),
            reversed_sequence=F("reverses__sequence"),
            reversed_delta=F("reverses__delta"),
            reversed_experience=F("reverses__experience_after") - F("reverses__experience_before"),
        )
        .values_list(
            "standing_id", "sequence", "kind", "match_id", "day", "idle_since", "before", "delta", "after",
            "experience_before", "experience_after", "won", "basis", "rule_set", "rule_set_version", "finished_at",
            "reversal",
            "reversed_standing", "reversed_kind", "reversed_match", "reversed_day", "reversed_sequence",
            "reversed_delta", "reversed_experience", named=True,
        )
    )  # fmt: skip
    both = with_their_rows(
        standings, entries, key=lambda standing: standing.pk, owner_key=lambda entry: entry.standing_id
    )
    for standing, own in both:
        for what in _check(standing, own):
            found(Drift(f"{standing.username} on {standing.slug}", what))
        yield


def _check(standing: Any, entries: Iterator[Any]) -> Iterator[str]:
    state = StandingState.at_start(rule_set(standing.rules, standing.version, standing.options).start)
    decayed: date | None = None
    for entry in entries:
        for what in _check_entry(entry, state):
            yield f"entry {entry.sequence}: {what}"
        if entry.kind == RatingEntry.Kind.DECAY:
            if decayed is not None and entry.day <= decayed:
                yield f"entry {entry.sequence}: the day {entry.day} is repeated or not in order"
            decayed = entry.day
        state.add(entry, finished_at=entry.finished_at, is_reversed=entry.reversal is not None)
    for name in FIELDS:
        stored, computed = getattr(standing, name), getattr(state, name)
        if stored != computed:
            yield f"{name} is {stored}, the ledger gives {computed}"


def _check_entry(entry: Any, state: StandingState) -> Iterator[str]:
    if entry.sequence != state.last_sequence + 1:
        yield f"comes after entry {state.last_sequence}"
    if entry.before != state.rating:
        yield f"begins at {entry.before}, the rating was {state.rating}"
    if entry.after != entry.before + entry.delta:
        yield f"{entry.before} {entry.delta:+} is not {entry.after}"
    if entry.experience_before != state.experience:
        yield f"begins at experience {entry.experience_before}, it was {state.experience}"
    if entry.kind == RatingEntry.Kind.DECAY:
        yield from _check_decay(entry)
    elif entry.kind == RatingEntry.Kind.REVERSAL:
        yield from _check_reversal(entry)


def _check_decay(entry: Any) -> Iterator[str]:
    if entry.delta >= Decimal(0) or entry.experience_after != entry.experience_before:
        yield "a decay entry must take points and not change experience"
    if entry.day < decay.first_decay_day(entry.idle_since):
        yield f"{entry.day} is no day of decay after a last ranked match on {entry.idle_since}"
    rules = f"{entry.rule_set} version {entry.rule_set_version}"
    try:
        step = decay.nightly_step(rule_set(entry.rule_set, entry.rule_set_version).tiers, entry.before)
    except LookupError:
        yield f"there are no rules {rules}"
        return
    if entry.delta != -step:
        yield f"delta is {entry.delta}, by {rules} it is {-step}"


def _check_reversal(entry: Any) -> Iterator[str]:
    if entry.reversed_standing != entry.standing_id or entry.reversed_kind == RatingEntry.Kind.REVERSAL:
        yield "reverses an entry of another standing, or a reversal"
        return
    if entry.reversed_sequence >= entry.sequence or entry.reversed_match != entry.match_id:
        yield f"reverses entry {entry.reversed_sequence}, which is later or of another match"
    if entry.reversed_day != entry.day:
        yield f"reverses entry {entry.reversed_sequence}, which is of another day"
    gained = entry.experience_after - entry.experience_before
    if entry.delta != -entry.reversed_delta or gained != -entry.reversed_experience:
        yield f"is not the exact opposite of entry {entry.reversed_sequence}"
