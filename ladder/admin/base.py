"""What all pages of the admin share: they stay fast over a million rows, and most of them only show."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import ShowFacets
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from ladder.models import User
from ladder.rules.usernames import normal_form

# More namesakes than anyone would page through: whoever meets this limit types another letter.
MOST_NAMESAKES = 50


class LadderAdmin(ModelAdmin):
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


class ReadOnlyAdmin(LadderAdmin):
    """Shows rows that services alone write."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class PlayerSearch(LadderAdmin):
    """A search box that takes the start of a username (or a whole id, where the page knows what has one)."""

    search_help_text = _("Start of a username")
    search_fields = ("pk",)  # shows the box; what it finds is said below

    def found(self, players: list[int], uuid: UUID | None) -> Q:
        """The condition for rows that concern these accounts, or what has this id. Most rows name one account."""
        return Q(account__in=players)

    def get_ordering(self, request: HttpRequest) -> Any:
        # The newest first either way. Ordered by id, the database would rather walk all rows backwards than look the
        # found ones up by the players' index and sort them.
        return ("-created_at",) if request.GET.get(SEARCH_VAR) else self.ordering

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if term:
            queryset = queryset.filter(self.found(accounts_starting_with(term, request), as_uuid(term)))
        return queryset, False


def accounts_starting_with(term: str, request: HttpRequest) -> list[int]:
    """The ids of the accounts whose names start like that, without regard to case; the page says if there are more."""
    named = User.objects.filter(username__lower__startswith=normal_form(term).lower())
    found = list(named.order_by("username__lower").values_list("pk", flat=True)[: MOST_NAMESAKES + 1])
    if len(found) > MOST_NAMESAKES:
        text = gettext("More than %(most)s usernames start like that: only the first %(most)s are searched for.")
        messages.warning(request, text % {"most": MOST_NAMESAKES})
    return found[:MOST_NAMESAKES]


def as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
