"""The sidebar. Each app adds its pages to :data:`NAVIGATION`, in a section from here or in one of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from common.points import ExtensionPoint

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Section:
    """A group of pages with a title. The sidebar sorts sections by ``position``."""

    title: Text
    position: int


MODERATION = Section(_("Moderation"), 10)
RATINGS = Section(_("Ratings"), 30)
ACCESS = Section(_("Access"), 40)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the admin. Its section sorts pages by ``position``.

    ``view`` is the name of its URL (``app_model_changelist``) and ``query`` a filter of the list. The page is shown to
    accounts with the ``permission`` (``app.codename``; empty: all staff). ``badge`` returns a number to show beside the
    title.
    """

    section: Section
    position: int
    title: Text
    icon: str
    view: str
    permission: str = ""
    query: str = ""
    badge: Callable[[HttpRequest], int] | None = None

    @property
    def address(self) -> str:
        return reverse(f"admin:{self.view}")

    def match(self, request: HttpRequest) -> tuple[int, int] | None:
        """How well this page matches the open address; a larger value is a better match. ``None``: it does not."""
        path, query = self.address, parse_qsl(self.query)
        home = path == reverse("admin:index")
        if not (request.path == path if home else request.path.startswith(path)):
            return None
        if any(request.GET.get(name) != value for name, value in query):
            return None
        return len(path), len(query)


NAVIGATION: ExtensionPoint[Page] = ExtensionPoint()
NAVIGATION.add(Page(MODERATION, 0, _("Overview"), "dashboard", "index"))

TABS: ExtensionPoint[Callable[[HttpRequest], dict[str, Any]]] = ExtensionPoint()
"""Functions that return tabs above a list, in the format of the theme."""


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sections with their pages, in the format of the theme."""
    pages = sorted(NAVIGATION, key=lambda page: (page.section.position, page.position))
    open_page = _open_page(pages, request)
    return [
        {
            "title": section.title,
            "separator": number > 0,
            "items": [_item(page, request, is_open=page is open_page) for page in members],
        }
        for number, (section, members) in enumerate(groupby(pages, lambda page: page.section))
    ]


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    """All tabs that apps added."""
    return [make(request) for make in TABS]


def _open_page(pages: Iterable[Page], request: HttpRequest) -> Page | None:
    matches = [(match, page) for page in pages if (match := page.match(request)) is not None]
    return max(matches, key=lambda pair: pair[0])[1] if matches else None


def _item(page: Page, request: HttpRequest, *, is_open: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "title": page.title,
        "icon": page.icon,
        "link": f"{page.address}?{page.query}" if page.query else page.address,
        "active": is_open,
    }
    may_view = not page.permission or request.user.has_perm(page.permission)
    item["permission"] = lambda _request: may_view
    if page.badge is not None and may_view:
        item["badge"] = page.badge(request)
    return item
