"""Lists that are searched by player."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.usernames import normal_form
from common.admin.base import BaseAdmin

# More namesakes than anyone would page through: whoever meets this limit types another letter.
MOST_NAMESAKES = 50


class PlayerSearch(BaseAdmin):
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
