"""What all pages of the admin share: they stay fast over a million rows, and most of them only show."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ShowFacets
from django.db.models import Model
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator


class BaseAdmin(ModelAdmin):
    """Lists without a count of the table, without sorting by columns that no index serves, and without mass actions."""

    actions = None
    paginator = InfinitePaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by: tuple[str, ...] = ()
    list_per_page = 50
    list_filter_submit = True
    list_fullwidth = True
    ordering: Any = ("-id",)

    # The audit trail tells who did what, in the transaction of the deed; Django's own log would be a second truth.
    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None: ...

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None: ...

    def log_deletions(self, request: HttpRequest, queryset: Any) -> None: ...

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin(BaseAdmin):
    """Shows rows that services alone write."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
