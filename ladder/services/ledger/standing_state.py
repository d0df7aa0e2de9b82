"""The values of a standing, computed from its ledger entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Protocol

from ladder.models import RatingEntry, Standing
from ladder.rules.record import next_streak
from ladder.rules.systems.recall import MEMORY


class LedgerEntry(Protocol):
    """The values of a ledger entry that a standing depends on."""

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
class StandingState:
    """The values of a standing after some of its entries. Reversed entries count only for rating and experience."""

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
    def at_start(cls, start: Decimal) -> StandingState:
        """The values before the first entry. ``start`` is the rating of new players, in points."""
        return cls(rating=start, peak_rating=start)

    def add(self, entry: LedgerEntry, *, finished_at: datetime | None, is_reversed: bool = False) -> None:
        """Add the next entry. ``finished_at`` is when its match was played."""
        self.rating = entry.after
        self.experience = entry.experience_after
        self.last_sequence = entry.sequence
        if entry.kind == RatingEntry.Kind.DECAY:
            self.decayed_through = entry.day
        if is_reversed:
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


FIELDS = tuple(field.name for field in fields(StandingState))


def state_from_ledger(standing: Standing, start: Decimal) -> StandingState:
    """Compute the standing from its entries. ``start`` is the rating of new players, in points."""
    state = StandingState.at_start(start)
    entries = standing.entries.select_related("match").order_by("sequence")
    is_reversed = set(standing.entries.filter(reverses__isnull=False).values_list("reverses_id", flat=True))
    for entry in entries.iterator():
        finished_at = entry.match.finished_at if entry.match else None
        state.add(entry, finished_at=finished_at, is_reversed=entry.pk in is_reversed)
    return state
