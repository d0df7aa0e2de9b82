"""Each standing: the chain of its entries, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import F

from ladder.models import Ladder, RatingEntry, Standing
from ladder.rules import decay
from ladder.rules.rule_sets import rule_set
from ladder.services.ledger.facts import FIELDS, Facts
from ladder.services.verification.drift import Drift, scope, with_their_rows


def check_standings(ladder: Ladder | None, found: Callable[[Drift], object]) -> Iterator[None]:
    """Check the standings of one ladder, or all; yields after each."""
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
            taken_standing=F("reverses__standing"),
            taken_kind=F("reverses__kind"),
            taken_match=F("reverses__match"),
            taken_day=F("reverses__day"),
            taken_sequence=F("reverses__sequence"),
            taken_delta=F("reverses__delta"),
            taken_experience=F("reverses__experience_after") - F("reverses__experience_before"),
        )
        .values_list(
            "standing_id", "sequence", "kind", "match_id", "day", "idle_since", "before", "delta", "after",
            "experience_before", "experience_after", "won", "basis", "rule_set", "rule_set_version", "finished_at",
            "reversal",
            "taken_standing", "taken_kind", "taken_match", "taken_day", "taken_sequence", "taken_delta",
            "taken_experience", named=True,
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
    facts = Facts.at_start(rule_set(standing.rules, standing.version, standing.options).start)
    decayed: date | None = None
    for entry in entries:
        for what in _check_entry(entry, facts):
            yield f"entry {entry.sequence}: {what}"
        if entry.kind == RatingEntry.Kind.DECAY:
            if decayed is not None and entry.day <= decayed:
                yield f"entry {entry.sequence}: the night of {entry.day} comes again or too late"
            decayed = entry.day
        facts.add(entry, finished_at=entry.finished_at, taken_back=entry.reversal is not None)
    for name in FIELDS:
        stored, computed = getattr(standing, name), getattr(facts, name)
        if stored != computed:
            yield f"{name} is {stored}, the ledger gives {computed}"


def _check_entry(entry: Any, facts: Facts) -> Iterator[str]:
    if entry.sequence != facts.last_sequence + 1:
        yield f"comes after entry {facts.last_sequence}"
    if entry.before != facts.rating:
        yield f"begins at {entry.before}, the rating was {facts.rating}"
    if entry.after != entry.before + entry.delta:
        yield f"{entry.before} {entry.delta:+} is not {entry.after}"
    if entry.experience_before != facts.experience:
        yield f"begins at experience {entry.experience_before}, it was {facts.experience}"
    if entry.kind == RatingEntry.Kind.DECAY:
        yield from _check_decay(entry)
    elif entry.kind == RatingEntry.Kind.REVERSAL:
        yield from _check_reversal(entry)


def _check_decay(entry: Any) -> Iterator[str]:
    if entry.delta >= Decimal(0) or entry.experience_after != entry.experience_before:
        yield "a decay takes points and leaves experience alone"
    if entry.day < decay.first_decay_day(entry.idle_since):
        yield f"{entry.day} is no night to charge for a last ranked match on {entry.idle_since}"
    rules = f"{entry.rule_set} version {entry.rule_set_version}"
    try:
        step = decay.nightly_step(rule_set(entry.rule_set, entry.rule_set_version).tiers, entry.before)
    except LookupError:
        yield f"there are no rules {rules}"
        return
    if entry.delta != -step:
        yield f"delta is {entry.delta}, by {rules} it is {-step}"


def _check_reversal(entry: Any) -> Iterator[str]:
    if entry.taken_standing != entry.standing_id or entry.taken_kind == RatingEntry.Kind.REVERSAL:
        yield "takes back what is no entry of this standing"
        return
    if entry.taken_sequence >= entry.sequence or entry.taken_match != entry.match_id:
        yield f"takes back entry {entry.taken_sequence}, which is later or of another match"
    if entry.taken_day != entry.day:
        yield f"takes back entry {entry.taken_sequence}, which is of another day"
    gained = entry.experience_after - entry.experience_before
    if entry.delta != -entry.taken_delta or gained != -entry.taken_experience:
        yield f"is not the exact opposite of entry {entry.taken_sequence}"
