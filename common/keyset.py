"""A page of an ordered list, by key set: from a row onwards, instead of a number of rows to skip.

Rows that come, go or move elsewhere in the list neither push a row out of the following page nor into it twice. The
order must end in something unique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the list: just after (``backwards``: just before) the row whose ordering values these are."""

    values: tuple[Any, ...]
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows in the list's order, and where the pages beside them start, if there are such."""

    rows: list[Row]
    next: Position | None
    previous: Position | None


def page(rows: QuerySet[Any, Row], order: Sequence[str], *, size: int, position: Position | None = None) -> Page[Row]:
    """The ``size`` rows after (or before) ``position``; the first ones without it. ``order`` is as for ``order_by``."""
    backwards = position is not None and position.backwards
    directed = [_opposite(name) for name in order] if backwards else list(order)
    if position is not None:
        rows = rows.filter(_beyond(directed, position.values))
    found = list(rows.order_by(*directed)[: size + 1])
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


def _beyond(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows after the given one: (a, b) beyond (x, y) is a beyond x, or a = x and b beyond y."""
    beyond, same = Q(), Q()
    for name, value in zip(order, values, strict=True):
        field, step = name.removeprefix("-"), "lt" if name.startswith("-") else "gt"
        beyond |= same & Q(**{f"{field}__{step}": value})
        same &= Q(**{field: value})
    # Follows from the rest, and lets an index on the first column be entered at the right place.
    field, step = order[0].removeprefix("-"), "lte" if order[0].startswith("-") else "gte"
    return Q(**{f"{field}__{step}": values[0]}) & beyond


def _values(row: Any, order: Sequence[str]) -> tuple[Any, ...]:
    names = [name.removeprefix("-") for name in order]
    return tuple(row[name] if isinstance(row, dict) else getattr(row, name) for name in names)


def _opposite(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"
