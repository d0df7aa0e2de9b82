"""The start page of the admin. Apps add figures and panels to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from common.points import ExtensionPoint


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, with a link to the list that it counts. An ``urgent`` one is highlighted unless it is 0."""

    title: str | Promise
    icon: str
    number: int
    url: str
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page: a template and its context. The context is ``None`` if the account may not see the panel.

    ``column`` is 1 or 2, from the left.
    """

    template: str
    read: Callable[[HttpRequest], dict[str, Any] | None]
    column: int = 1


FIGURES: ExtensionPoint[Callable[[HttpRequest], Iterable[Figure]]] = ExtensionPoint()
"""Functions that return the figures that the account may see."""
PANELS: ExtensionPoint[Panel] = ExtensionPoint()


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The context of the start page, with the figures and panels that the account may see."""
    panels = [(panel, panel.read(request)) for panel in PANELS]
    shown = [{"template": panel.template, "column": panel.column, **read} for panel, read in panels if read is not None]
    columns = [[panel for panel in shown if panel["column"] == number] for number in (1, 2)]
    return {
        **context,
        "title": _("Overview"),
        "figures": [figure for figures in FIGURES for figure in figures(request)],
        "columns": [column for column in columns if column],
    }
