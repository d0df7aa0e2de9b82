"""The ledger recomputed from its first entry on, and every place named where something else is stored.

One pass goes through the standings, each with its entries in their order; another through the matches, each with
the entries of both players. Both stream, so memory stays flat. A third adds up what each night of decay took. All see
one snapshot of the database, while play goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction

from ladder.models import Ladder, Match, Standing
from ladder.services.verification.drift import Drift, scope
from ladder.services.verification.matches import check_matches
from ladder.services.verification.nights import check_nights
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
    """Recompute one ladder, or all of them; ``found`` is told of each drift, as it is met.

    ``expect`` is told once how many standings and matches there are, ``progress`` how many more are done. It must
    not be called inside a transaction, because it opens a read-only one of its own.
    """
    checked = Checked()

    def told(drift: Drift) -> None:
        checked.drifts += 1
        found(drift)

    with _snapshot():
        check_nights(ladder, told)
        of_ladder = scope(ladder, "ladder")
        expect(Standing.objects.filter(**of_ladder).count() + Match.objects.filter(**of_ladder).count())
        for _ in check_standings(ladder, told):
            checked.standings += 1
            progress(1)
        for _ in check_matches(ladder, told):
            checked.matches += 1
            progress(1)
    return checked


@contextmanager
def _snapshot() -> Iterator[None]:
    """A transaction that writes nothing and sees the database as it was at its beginning."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # The streams are read to their ends: plans that are quick to begin and slow to finish are no use.
            cursor.execute("SET LOCAL cursor_tuple_fraction = 1")
        yield
