"""Computing the ledger again and finding all stored values that differ.

The checks read all standings with their entries, all matches with the entries of both players, and the runs of decay.
They read in streams, so memory does not grow with the database. They all see the same snapshot of the database, and do
not block other transactions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction

from ladder.models import Ladder, Match, Standing
from ladder.services.verification.decay_runs import check_decay_runs
from ladder.services.verification.drift import Drift, scope
from ladder.services.verification.matches import check_matches
from ladder.services.verification.standings import check_standings

__all__ = ["Checked", "Drift", "verify"]


@dataclass(slots=True)
class Checked:
    standings: int = 0
    matches: int = 0
    drifts: int = 0


def verify(
    ladder: Ladder | None = None,
    *,
    found: Callable[[Drift], object],
    expect: Callable[[int], object] = lambda _: None,
    progress: Callable[[int], object] = lambda _: None,
) -> Checked:
    """Check one ladder or all. ``found`` is called with each drift.

    ``expect`` is called once with the number of standings and matches, and ``progress`` with the number of newly
    checked ones. Must not be called in a transaction, because it starts a read-only one.
    """
    checked = Checked()

    def count(drift: Drift) -> None:
        checked.drifts += 1
        found(drift)

    with _snapshot():
        check_decay_runs(ladder, count)
        of_ladder = scope(ladder, "ladder")
        expect(Standing.objects.filter(**of_ladder).count() + Match.objects.filter(**of_ladder).count())
        for _ in check_standings(ladder, count):
            checked.standings += 1
            progress(1)
        for _ in check_matches(ladder, count):
            checked.matches += 1
            progress(1)
    return checked


@contextmanager
def _snapshot() -> Iterator[None]:
    """A read-only transaction that sees the database as it was at its start."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The streams are read to the end, so plans must be fast as a whole and not only for the first rows.
            cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
        yield
