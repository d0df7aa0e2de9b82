"""Helpers of the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.db.models import QuerySet

from ladder.limits import ROWS_PER_FETCH
from ladder.models import Ladder

Owner = TypeVar("Owner")
Row = TypeVar("Row")


class Drift(NamedTuple):
    """A stored value that differs from the computed one. ``where`` is the standing, match or day."""

    where: str
    what: str


def scope(ladder: Ladder | None, path: str) -> dict[str, Ladder]:
    """The filter for one ladder; no filter for all."""
    return {} if ladder is None else {path: ladder}


def with_their_rows(
    owners: QuerySet[Any, Owner], rows: QuerySet[Any, Row], *, key: Callable[[Owner], Any],
    owner_key: Callable[[Row], Any],
) -> Iterator[tuple[Owner, Iterator[Row]]]:  # fmt: skip
    """Stream two queries with the same order: each owner with its rows, of which there may be none."""
    groups = groupby(rows.iterator(ROWS_PER_FETCH), owner_key)
    nothing: tuple[Any, Iterator[Row]] = (None, iter(()))
    owned_by, group = next(groups, nothing)
    for owner in owners.iterator(ROWS_PER_FETCH):
        if key(owner) == owned_by:
            yield owner, group
            owned_by, group = next(groups, nothing)
        else:
            yield owner, iter(())
