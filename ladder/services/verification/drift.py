"""What the two passes share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.db.models import QuerySet

from ladder.models import Ladder

Owner = TypeVar("Owner")
Row = TypeVar("Row")

# How many rows a streaming cursor fetches at a time.
_CHUNK = 5_000


class Drift(NamedTuple):
    """Something stored that does not follow from the ledger. ``where`` names the standing or the match."""

    where: str
    what: str


def scope(ladder: Ladder | None, path: str) -> dict[str, Ladder]:
    """The filter that keeps to one ladder, where one is given."""
    return {} if ladder is None else {path: ladder}


def with_their_rows(
    owners: QuerySet[Any, Owner], rows: QuerySet[Any, Row], *, key: Callable[[Owner], Any],
    owner_key: Callable[[Row], Any],
) -> Iterator[tuple[Owner, Iterator[Row]]]:  # fmt: skip
    """Stream two queries that come in the same order: each owner with its rows, which may be none."""
    groups = groupby(rows.iterator(_CHUNK), owner_key)
    nothing: tuple[Any, Iterator[Row]] = (None, iter(()))
    owned_by, group = next(groups, nothing)
    for owner in owners.iterator(_CHUNK):
        if key(owner) == owned_by:
            yield owner, group
            owned_by, group = next(groups, nothing)
        else:
            yield owner, iter(())
