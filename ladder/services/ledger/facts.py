"""What a standing says, worked out from the ledger alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Protocol

from ladder.models import RatingEntry, Standing
from ladder.rules.record import next_streak
from ladder.rules.systems.recall import MEMORY


class Movement(Protocol):
    """As much of a ledger entry as a standing takes in."""

    @property
    def kind(self) -> str: ...
    @property
    def sequence(self) -> int: ...
    @property
    def after(self) -> Decimal: ...
    @property
    def experience_after(self) -> int: ...
    @property
    def won(self) -> bool | None: ...
    @property
    def day(self) -> date | None: ...
    @property
    def basis(self) -> Mapping[str, Any]: ...


@dataclass(slots=True)
class Facts:
    """A standing as its ledger entries make it. Entries that were taken back count only towards the rating."""

    rating: Decimal
    peak_rating: Decimal
    experience: int = 0
    wins: int = 0
    losses: int = 0
    streak: int = 0
    last_sequence: int = 0
    last_ranked_at: datetime | None = None
    decayed_through: date | None = None
    memory: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def at_start(cls, start: Decimal) -> Facts:
        """Before the first entry. ``start`` is the rating everyone starts at, in points."""
        return cls(rating=start, peak_rating=start)

    def add(self, entry: Movement, *, finished_at: datetime | None, taken_back: bool = False) -> None:
        """Take in the next entry of the standing. ``finished_at`` is when its match counts as played."""
        self.rating = entry.after
        self.experience = entry.experience_after
        self.last_sequence = entry.sequence
        if entry.kind == RatingEntry.Kind.DECAY:
            self.decayed_through = entry.day
        if taken_back:
            return
        if entry.kind != RatingEntry.Kind.DECAY:
            self.peak_rating = max(self.peak_rating, entry.after)
        if entry.kind == RatingEntry.Kind.SETTLEMENT:
            won = bool(entry.won)
            self.wins += won
            self.losses += not won
            self.streak = next_streak(self.streak, won=won)
            self.memory = entry.basis.get(MEMORY, {})
            if finished_at is not None:
                self.last_ranked_at = max(self.last_ranked_at or finished_at, finished_at)


FIELDS = tuple(field.name for field in fields(Facts))


def facts_from_ledger(standing: Standing, start: Decimal) -> Facts:
    """Work the standing out from its entries. ``start`` is the rating everyone starts at, in points."""
    facts = Facts.at_start(start)
    entries = standing.entries.select_related("match").order_by("sequence")
    taken_back = set(standing.entries.filter(reverses__isnull=False).values_list("reverses_id", flat=True))
    for entry in entries.iterator():
        finished_at = entry.match.finished_at if entry.match else None
        facts.add(entry, finished_at=finished_at, taken_back=entry.pk in taken_back)
    return facts
