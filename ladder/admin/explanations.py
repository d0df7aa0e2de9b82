"""Ledger entries with their formulas, for the admin pages."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from ladder.models import RatingEntry
from ladder.queries.rating_entries import rules_of, settlement_steps
from ladder.rules import decay
from ladder.rules.tiers import tier_of

STEPS: dict[str, str | Promise] = {
    "winner_probability": _("Winner's probability"),
    "expected": _("Expected score"),
    "k": _("K"),
    "delta": _("Change"),
}
"""Titles of the steps of the rating systems. A step without a title is shown with its name."""


@dataclass(frozen=True, slots=True)
class ExplainedEntry:
    """An entry, its player, and the steps of its formula as (title, formula)."""

    entry: RatingEntry
    player: User
    steps: list[tuple[str, str]]

    @property
    def is_gain(self) -> bool:
        return self.entry.delta >= 0

    @property
    def delta(self) -> str:
        return signed(self.entry.delta)

    @property
    def experience(self) -> str:
        return signed(self.entry.experience_after - self.entry.experience_before)


def explain_entry(entry: RatingEntry, player: User) -> ExplainedEntry:
    return ExplainedEntry(entry, player, steps_of(entry))


def signed(number: Decimal | int) -> str:
    return f"{number:+}"


def steps_of(entry: RatingEntry) -> list[tuple[str, str]]:
    """The steps of the entry's change. The entry's match and ``reverses`` should be loaded."""
    if entry.kind == RatingEntry.Kind.SETTLEMENT:
        return _settlement(entry)
    if entry.reverses is not None:
        return [(_reversal_title(entry.reverses), f"-({signed(entry.reverses.delta)}) = {signed(entry.delta)}")]
    return _decay(entry) if entry.day is not None else []


def _reversal_title(entry: RatingEntry) -> str:
    if entry.day is None:
        return gettext("The exact opposite of entry %(number)s") % {"number": entry.sequence}
    return gettext("The exact opposite of entry %(number)s, the decay of %(day)s") % {
        "number": entry.sequence, "day": date_format(entry.day),
    }  # fmt: skip


def _decay(entry: RatingEntry) -> list[tuple[str, str]]:
    assert entry.day is not None
    assert entry.idle_since is not None
    tiers = rules_of(entry, entry.standing.ladder).tiers
    tier = tier_of(tiers, entry.before)
    steps = decay.explain_day(tiers, entry.before, idle_since=entry.idle_since, day=entry.day)
    return [
        (gettext("Days without a ranked match"), steps["idle"]),
        (
            gettext("Decay of one day in the tier %(tier)s") % {"tier": gettext(tier.name) if tier else "-"},
            steps["delta"],
        ),
    ]


def _settlement(entry: RatingEntry) -> list[tuple[str, str]]:
    assert entry.match is not None
    steps = settlement_steps(entry, entry.standing.ladder, entry.match)
    return [(str(STEPS.get(name, name)), formula) for name, formula in steps.items() if name != "after"]
