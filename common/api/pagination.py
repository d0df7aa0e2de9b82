"""Pages of lists: ``results``, and the addresses of the ``next`` and the ``previous`` page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core import signing
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from common import keyset
from common.api.problems import BadQuery
from common.keyset import Page, Position

Row = TypeVar("Row")


def read_page(request: Request, query: dict[str, Any], rows: QuerySet[Any, Row], order: Sequence[str]) -> Page[Row]:
    """The page for the validated ``query``. Raises ``BadQuery`` for the cursor of another list."""
    cursor = query.get("cursor")
    position = None if cursor is None else _position(cursor, _list_of(request))
    return keyset.page(rows, order, size=query["page_size"], position=position)


def envelope(request: Request, page: Page[Any], results: list[Any]) -> dict[str, Any]:
    return {"next": _link(request, page.next), "previous": _link(request, page.previous), "results": results}


def _link(request: Request, position: Position | None) -> str | None:
    if position is None:
        return None
    values = [value if isinstance(value, int) else str(value) for value in position.values]
    # Signed, so that only cursors that we made for this list reach the database.
    cursor = signing.dumps([position.backwards, values], salt=_list_of(request), compress=False)
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _position(cursor: str, listed: str) -> Position:
    try:
        backwards, values = signing.loads(cursor, salt=listed)
    except signing.BadSignature:
        error = ErrorDetail(_("The cursor does not belong to this list: start again without it."), code="bad_cursor")
        raise BadQuery({"cursor": [error]}) from None
    return Position(tuple(values), backwards)


def _list_of(request: Request) -> str:
    """Identifies the list: its path and filters."""
    filters = sorted((k, v) for k, v in request.query_params.items() if k not in ("cursor", "page_size"))
    return f"{request.path} {filters}"
