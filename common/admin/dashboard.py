"""The first page of the admin: apps add figures to it, which lead to lists, and panels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from common.points import Point


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that leads to the list it counts. An ``urgent`` one stands out unless it is 0."""

    title: str | Promise
    icon: str
    number: int
    url: str
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page: a template, and the context that it gets. ``None``: the account may not see it.

    ``column`` is 1 or 2, from the left.
    """

    template: str
    read: Callable[[HttpRequest], dict[str, Any] | None]
    column: int = 1


FIGURES: Point[Callable[[HttpRequest], Iterable[Figure]]] = Point()
"""Each gives the figures that the account may see."""
PANELS: Point[Panel] = Point()


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the account may see to the context of the first page."""
    panels = [(panel, panel.read(request)) for panel in PANELS]
    seen = [{"template": panel.template, "column": panel.column, **read} for panel, read in panels if read is not None]
    columns = [[panel for panel in seen if panel["column"] == number] for number in (1, 2)]
    return {
        **context,
        "title": _("Overview"),
        "figures": [figure for figures in FIGURES for figure in figures(request)],
        "columns": [column for column in columns if column],
    }
