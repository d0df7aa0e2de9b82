"""Base classes of all admin pages. The lists stay fast with a million rows."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ShowFacets
from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from common.limits import PAGE_SIZE


class BaseAdmin(ModelAdmin):
    """Lists do not count all rows, do not sort by columns without an index, and have no bulk actions."""

    actions = None
    paginator = InfinitePaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by: tuple[str, ...] = ()
    list_per_page = PAGE_SIZE
    list_filter_submit = True
    list_fullwidth = True
    ordering: Any = ("-id",)

    # Services write the audit trail, in the transaction of the action. Django's own log is not used.
    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None: ...

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None: ...

    def log_deletions(self, request: HttpRequest, queryset: Any) -> None: ...

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin(BaseAdmin):
    """Pages that show rows and cannot change them."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
