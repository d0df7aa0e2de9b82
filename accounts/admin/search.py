"""Lists with a search by player."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.limits import MAX_SEARCHED_ACCOUNTS
from accounts.models import User
from accounts.usernames import normal_form
from common.admin.base import BaseAdmin


class PlayerSearch(BaseAdmin):
    """A search box for the start of a username, and on some pages for a whole id."""

    search_help_text = _("Start of a username")
    search_fields = ("pk",)  # shows the box; the search itself is below

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        """The condition for rows of these accounts, or for the row with this id."""
        return Q(account__in=players)

    def get_ordering(self, request: HttpRequest) -> Any:
        # The newest first in both cases. If a search is ordered by id, the database reads all rows backwards instead of
        # using the index of the players.
        return ("-created_at",) if request.GET.get(SEARCH_VAR) else self.ordering

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if term:
            queryset = queryset.filter(self.search_filter(accounts_starting_with(term, request), as_uuid(term)))
        return queryset, False


def accounts_starting_with(term: str, request: HttpRequest) -> list[int]:
    """The ids of the accounts whose names start with this, in any case. Shows a warning if there are too many."""
    named = User.objects.filter(username__lower__startswith=normal_form(term).lower())
    found = list(named.order_by("username__lower").values_list("pk", flat=True)[: MAX_SEARCHED_ACCOUNTS + 1])
    if len(found) > MAX_SEARCHED_ACCOUNTS:
        text = gettext("More than %(most)s usernames start like that: only the first %(most)s are searched for.")
        messages.warning(request, text % {"most": MAX_SEARCHED_ACCOUNTS})
    return found[:MAX_SEARCHED_ACCOUNTS]


def as_uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
