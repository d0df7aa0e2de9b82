"""Reports of the players."""

from __future__ import annotations

from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from common.admin.base import ReadOnlyAdmin
from ladder.models import MatchReport


@admin.register(MatchReport)
class MatchReportAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("reporter", "winner", "loser_score", "ending", "created_at", "match_link")
    list_select_related = ("reporter", "winner", "match__player_one", "match__player_two")
    search_help_text = _("Start of a player's username, or a match id")
    fields = (("reporter", "winner"), ("loser_score", "ending", "created_at"), "match_link")
    readonly_fields = ("match_link",)

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        if uuid:
            return Q(match=uuid)
        # Through the matches, which have an index by player.
        return (Q(match__player_one__in=players) | Q(match__player_two__in=players)) & Q(reporter__in=players)

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchReport]:
        return super().get_queryset(request).select_related(*self.list_select_related)

    @display(description=_("match"))
    def match_link(self, report: MatchReport) -> SafeString:
        url = reverse("admin:ladder_match_change", args=[report.match_id])
        return format_html('<a class="lad-link" href="{}">{}</a>', url, report.match)
