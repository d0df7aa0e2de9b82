"""Days of decay for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import time_machine

from accounts.models import User
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from ladder.rules.ranked import Origin
from ladder.services import decay
from ladder.services.verification import Drift, verify
from tests import factories

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
FIRST = date(2026, 1, 29)
"""The first day that costs points those who last played at ``START``."""


def at(day: date, hour: int = 12) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def decay_day(number: int) -> date:
    """The ``number``-th day that costs those who last played at ``START``, counted from 0."""
    return FIRST + timedelta(days=number)


@contextmanager
def clock(moment: datetime | date) -> Iterator[None]:
    """Set the present time to the moment, or to noon of the day."""
    with time_machine.travel(moment if isinstance(moment, datetime) else at(moment), tick=False):
        yield


def old_ladder(slug: str = "backgammon", made: datetime = START, **fields: Any) -> Ladder:
    with clock(made):
        return factories.make_ladder(slug, **fields)


def idle(
    ladder: Ladder, rating: str = "950.00", since: datetime = START, player: User | None = None
) -> Standing:  # fmt: skip
    """A standing whose last ranked match was at ``since``; its ledger begins there."""
    return factories.standing_at(ladder, Decimal(rating), since, player)


def climb(ladder: Ladder, rounds: int) -> User:
    """The winner of a knock-out over so many rounds, played now: 3 make a diamond player, and every entry is real."""
    if rounds == 0:
        return factories.make_player()
    one, two = climb(ladder, rounds - 1), climb(ladder, rounds - 1)
    factories.confirmed_match(one, two, ladder=ladder, match_length=99, origin=Origin.TOURNAMENT)
    return one


def run_on(ladder: Ladder, moment: datetime | date) -> list[DecayRun]:
    """Bring the ladder up to date at that moment."""
    with clock(moment):
        return decay.bring_up_to_date(ladder)


def decays_of(standing: Standing) -> list[tuple[date | None, Decimal]]:
    """Day and change of each decay, in the order of the ledger."""
    return list(
        RatingEntry.objects.filter(standing=standing, kind="decay").order_by("sequence").values_list("day", "delta")
    )


def charged_days(standing: Standing) -> list[date | None]:
    return [day for day, _ in decays_of(standing)]


def reversals_of(standing: Standing) -> list[tuple[date | None, Decimal]]:
    """Day and change of each reversal, in the order of the ledger."""
    return list(
        RatingEntry.objects.filter(standing=standing, kind="reversal").order_by("sequence").values_list("day", "delta")
    )


def rating_of(standing: Standing) -> Decimal:
    return Standing.objects.values_list("rating", flat=True).get(pk=standing.pk)


def history(ladder: Ladder) -> list[tuple[Any, ...]]:
    """The ledger entries of the ladder without ids and times, by standing in the order of creation."""
    numbers = {
        pk: n for n, pk in enumerate(Standing.objects.filter(ladder=ladder).order_by("pk").values_list("pk", flat=True))
    }
    entries = RatingEntry.objects.filter(standing__ladder=ladder).order_by("standing", "sequence")
    return [
        (numbers[pk], *rest)
        for pk, *rest in entries.values_list("standing", "sequence", "kind", "day", "idle_since", "before", "after")
    ]


def runs_of(ladder: Ladder) -> list[tuple[Any, ...]]:
    """The runs of the ladder without times."""
    runs = DecayRun.objects.filter(ladder=ladder).order_by("day")
    return list(runs.values_list("day", "state", "standings", "points", "by_tier", "error"))


def drifts() -> list[Drift]:
    found: list[Drift] = []
    verify(found=found.append)
    return found
