"""The sidebar: each app adds its pages to :data:`NAVIGATION`, in the sections that are there or in one of its own."""

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

from common.points import Point

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Section:
    """A group of pages under one title; the sidebar lists sections by ``position``."""

    title: Words
    position: int


MODERATION = Section(_("Moderation"), 10)
RATINGS = Section(_("Ratings"), 30)
ACCESS = Section(_("Access"), 40)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the admin, in the order of ``position`` within its section.

    ``view`` names its address (``app_model_changelist``), ``query`` narrows a list down. ``permission`` says who sees
    it (``app.codename``; empty: all staff). ``badge`` gives a number to show beside the title.
    """

    section: Section
    position: int
    title: Words
    icon: str
    view: str
    permission: str = ""
    query: str = ""
    badge: Callable[[HttpRequest], int] | None = None

    @property
    def address(self) -> str:
        return reverse(f"admin:{self.view}")

    def fit(self, request: HttpRequest) -> tuple[int, int] | None:
        """How closely the page fits the address that is open, the larger the closer; ``None``: not at all."""
        path, query = self.address, parse_qsl(self.query)
        home = path == reverse("admin:index")
        if not (request.path == path if home else request.path.startswith(path)):
            return None
        if any(request.GET.get(name) != value for name, value in query):
            return None
        return len(path), len(query)


NAVIGATION: Point[Page] = Point()
NAVIGATION.add(Page(MODERATION, 0, _("Overview"), "dashboard", "index"))

TABS: Point[Callable[[HttpRequest], dict[str, Any]]] = Point()
"""Tabs above a list, as the theme takes them."""


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The sections with their pages, as the theme takes them."""
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
    return [made(request) for made in TABS]


def _open_page(pages: Iterable[Page], request: HttpRequest) -> Page | None:
    fits = [(fit, page) for page in pages if (fit := page.fit(request)) is not None]
    return max(fits, key=lambda found: found[0])[1] if fits else None


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
