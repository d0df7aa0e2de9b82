"""Standings. They change through the ledger only; superusers can add an adjustment."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from accounts.admin.staff import staff
from common.admin.base import ReadOnlyAdmin
from ladder.admin.adjustment import AdjustmentPage
from ladder.models import Standing


class Played(DropdownFilter):
    """By default, the list has only players who have played a ranked match."""

    title = _("players")
    parameter_name = "shown"
    all_option = ["", _("Players with a ranked match")]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("everyone", _("All, the newest first"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Standing]) -> QuerySet[Standing]:
        if shows_everyone(request):
            return queryset
        return queryset.filter(last_ranked_at__isnull=False)


def shows_everyone(request: HttpRequest) -> bool:
    return bool(request.GET.get(Played.parameter_name) or request.GET.get(SEARCH_VAR))


@admin.register(Standing)
class StandingAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("who", "rating", "tier_label", "peak_rating", "record", "streak_label", "experience", "ledger")
    list_select_related = ("player", "ladder")
    list_filter = (("ladder", RelatedDropdownFilter), Played)
    change_form_template = "admin/ladder/standing.html"
    fields = (
        ("player_link", "ladder"),
        ("rating", "peak_rating", "tier_label"),
        ("record", "streak_label", "experience"),
        ("last_ranked_at", "ledger"),
    )
    readonly_fields = ("player_link", "tier_label", "record", "streak_label", "ledger")

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(player__in=players)

    def get_urls(self) -> list[Any]:
        adjust = self.admin_site.admin_view(AdjustmentPage.as_view(model_admin=self))
        return [path("<int:standing_id>/adjust/", adjust, name="ladder_standing_adjust"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {"may_adjust": staff(request).is_superuser, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def get_ordering(self, request: HttpRequest) -> Any:
        # The order of the leaderboard has an index, but only for players with a ranked match.
        return ("-id",) if shows_everyone(request) else ("ladder_id", "-rating", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Standing]:
        return super().get_queryset(request).select_related("player", "ladder")

    @display(description=_("player"), header=True)
    def who(self, standing: Standing) -> tuple[str, str]:
        return standing.player.username, standing.ladder.name

    @display(description=_("player"))
    def player_link(self, standing: Standing) -> SafeString:
        url = reverse("admin:accounts_user_change", args=[standing.player_id])
        return format_html('<a class="lad-link" href="{}">{}</a>', url, standing.player.username)

    @display(description=_("tier"))
    def tier_label(self, standing: Standing) -> str | SafeString:
        tier = standing.tier
        return (
            format_html('<span class="lad-tier lad-tier-{}">{}</span>', tier.name, gettext(tier.name)) if tier else "-"
        )

    @display(description=_("won : lost"))
    def record(self, standing: Standing) -> str:
        return f"{standing.wins} : {standing.losses}"

    @display(description=_("streak"))
    def streak_label(self, standing: Standing) -> str:
        return f"{standing.streak:+}" if standing.streak else "0"

    @display(description=_("ledger"))
    def ledger(self, standing: Standing) -> SafeString:
        url = reverse("admin:ladder_ratingentry_changelist")
        text = _("%(count)s entries") % {"count": standing.last_sequence}
        return format_html('<a class="lad-link" href="{}?standing={}">{}</a>', url, standing.pk, text)
