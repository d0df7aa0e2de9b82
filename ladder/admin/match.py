"""The list of matches, and the page of a match."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, DropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from common.admin.base import ReadOnlyAdmin
from ladder.admin.match_page import match_page
from ladder.admin.ruling import RulingPage
from ladder.admin.ruling_form import OVERTURN, RULE
from ladder.admin.texts import STATE_COLOURS, reason_text
from ladder.models import Match


class Rated(DropdownFilter):
    title = _("rated")
    parameter_name = "rated"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Rated")), ("no", _("Unrated"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        if self.value() in ("yes", "no"):
            return queryset.filter(unrated_reason__isnull=self.value() == "yes")
        return queryset


@admin.register(Match)
class MatchAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("players", "state_label", "result", "length", "kind", "is_rated_icon", "created_at")
    list_select_related = ("ladder", "player_one", "player_two", "winner", "ruling")
    list_filter = (
        ("state", ChoicesDropdownFilter),
        ("ladder", RelatedDropdownFilter),
        ("origin", ChoicesDropdownFilter),
        Rated,
    )
    search_help_text = _("Start of a player's username, or a match id")
    change_form_template = "admin/ladder/match.html"
    fields = ()

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(pk=uuid) if uuid else Q(player_one__in=players) | Q(player_two__in=players)

    def get_urls(self) -> list[Any]:
        pages = [
            path(
                f"<uuid:match_id>/{action.name}/",
                self.admin_site.admin_view(RulingPage.as_view(model_admin=self, action=action)),
                name=f"ladder_match_{action.name}",
            )
            for action in (RULE, OVERTURN)
        ]
        return [*pages, *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).select_related(*self.list_select_related)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        match = self.get_object(request, object_id)
        context = {"page": match_page(request, match), "title": str(match)} if match is not None else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @display(description=_("players"), header=True)
    def players(self, match: Match) -> tuple[str, str]:
        return f"{match.player_one} – {match.player_two}", match.ladder.name

    @display(description=_("state"), label=STATE_COLOURS)
    def state_label(self, match: Match) -> tuple[str, str]:
        return match.state, match.get_state_display()

    @display(description=_("result"))
    def result(self, match: Match) -> str:
        if match.winner is None:
            return reason_text(match.void_reason) or "-"
        score = "" if match.loser_score is None else f" {match.match_length} : {match.loser_score}"
        return f"{match.winner}{score}"

    @display(description=_("points"))
    def length(self, match: Match) -> int:
        return match.match_length

    @display(description=_("origin"))
    def kind(self, match: Match) -> str:
        return match.get_origin_display()

    @display(description=_("rated"), boolean=True)
    def is_rated_icon(self, match: Match) -> bool:
        return match.is_rated
