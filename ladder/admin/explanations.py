"""A ledger entry as the pages show it: its numbers, and the formula with these numbers filled in."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from accounts.models import User
from ladder.models import RatingEntry
from ladder.rules import explain
from ladder.rules.rule_sets import rule_set
from ladder.rules.tiers import tier_of


@dataclass(frozen=True, slots=True)
class Movement:
    """One entry, its player, and each step of its arithmetic as (what, formula)."""

    entry: RatingEntry
    player: User
    steps: list[tuple[str, str]]

    @property
    def gains(self) -> bool:
        return self.entry.delta >= 0

    @property
    def delta(self) -> str:
        return signed(self.entry.delta)

    @property
    def experience(self) -> str:
        return signed(self.entry.experience_after - self.entry.experience_before)


def movement(entry: RatingEntry, player: User) -> Movement:
    return Movement(entry, player, steps_of(entry))


def signed(number: Decimal | int) -> str:
    return f"{number:+}"


def steps_of(entry: RatingEntry) -> list[tuple[str, str]]:
    """How the entry's change comes about. Needs its match, or the entry it takes back, to be at hand."""
    if entry.kind == RatingEntry.Kind.SETTLEMENT:
        return _settlement(entry)
    if entry.reverses is not None:
        return [(_what_it_takes_back(entry.reverses), f"-({signed(entry.reverses.delta)}) = {signed(entry.delta)}")]
    return _night(entry)


def _what_it_takes_back(entry: RatingEntry) -> str:
    if entry.day is None:
        return _("The exact opposite of entry %(number)s") % {"number": entry.sequence}
    return _("The exact opposite of entry %(number)s, the decay of %(day)s") % {
        "number": entry.sequence, "day": entry.day,
    }  # fmt: skip


def _night(entry: RatingEntry) -> list[tuple[str, str]]:
    assert entry.day is not None
    assert entry.idle_since is not None
    tiers = rule_set(entry.rule_set, entry.rule_set_version).tiers
    tier = tier_of(tiers, entry.before)
    steps = explain.night(tiers, entry.before, idle_since=entry.idle_since, day=entry.day)
    return [
        (_("Days without a ranked match"), steps["idle"]),
        (_("One night's decay, as %(tier)s") % {"tier": tier.name if tier else "-"}, steps["delta"]),
    ]


def _settlement(entry: RatingEntry) -> list[tuple[str, str]]:
    assert entry.match is not None
    assert entry.opponent_rating is not None
    assert entry.winner_probability is not None
    steps = explain.settlement(
        rule_set(entry.rule_set, entry.rule_set_version).system,
        entry.change,
        opponent=entry.opponent_rating,
        winner_probability=entry.winner_probability,
        match_length=entry.match.match_length,
        won=bool(entry.won),
    )
    return [
        (_("Winner's probability"), steps["winner_probability"]),
        (_("K"), steps["k"]),
        (_("Change"), steps["delta"]),
    ]
