"""Keyset pagination: a page starts after a given row, not after a number of rows.

When rows are added, deleted or moved, the next page does not skip or repeat a row. The order must be unique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Position:
    """A position after the row with these values of the ordering fields (``backwards``: before that row)."""

    values: tuple[Any, ...]
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows in the order of the list, and the positions of the next and previous page, if they exist."""

    rows: list[Row]
    next: Position | None
    previous: Position | None


def page(rows: QuerySet[Any, Row], order: Sequence[str], *, size: int, position: Position | None = None) -> Page[Row]:
    """The ``size`` rows after (or before) ``position``, or the first ones. ``order`` is as in ``order_by``."""
    backwards = position is not None and position.backwards
    read_order = [_reversed(name) for name in order] if backwards else list(order)
    if position is not None:
        rows = rows.filter(_after(read_order, position.values))
    found = list(rows.order_by(*read_order)[: size + 1])
    more, found = len(found) > size, found[:size]
    if backwards:
        found.reverse()
    if not found:
        return Page([], None, None)
    first = Position(_values(found[0], order), backwards=True)
    last = Position(_values(found[-1], order))
    if backwards:
        return Page(found, last, first if more else None)
    return Page(found, last if more else None, first if position else None)


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows after the given one: (a, b) is after (x, y) if a is after x, or if a = x and b is after y."""
    after, same = Q(), Q()
    for name, value in zip(order, values, strict=True):
        field, lookup = name.removeprefix("-"), "lt" if name.startswith("-") else "gt"
        after |= same & Q(**{f"{field}__{lookup}": value})
        same &= Q(**{field: value})
    # Redundant, but with it the database can use an index on the first column.
    field, lookup = order[0].removeprefix("-"), "lte" if order[0].startswith("-") else "gte"
    return Q(**{f"{field}__{lookup}": values[0]}) & after


def _values(row: Any, order: Sequence[str]) -> tuple[Any, ...]:
    names = [name.removeprefix("-") for name in order]
    return tuple(row[name] if isinstance(row, dict) else getattr(row, name) for name in names)


def _reversed(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"
