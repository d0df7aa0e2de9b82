"""The ledger: all rating changes, with their formulas."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from common.admin.base import ReadOnlyAdmin
from ladder.admin.explanations import explain_entry, signed
from ladder.models import RatingEntry

KIND_COLOURS = {
    RatingEntry.Kind.SETTLEMENT: "success",
    RatingEntry.Kind.REVERSAL: "danger",
    RatingEntry.Kind.DECAY: "warning",
    RatingEntry.Kind.ADJUSTMENT: "info",
    RatingEntry.Kind.IMPORT: "default",
}


@admin.register(RatingEntry)
class RatingEntryAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("who", "kind_label", "change", "before", "after", "created_at")
    list_select_related = ("standing__player", "standing__ladder")
    list_filter = (
        ("kind", ChoicesDropdownFilter),
        ("standing__ladder", RelatedDropdownFilter),
    )
    search_help_text = _("Start of a username, or a match id")
    change_form_template = "admin/ladder/rating_entry.html"
    fields = ()

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(match=uuid) if uuid else Q(standing__player__in=players)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # For the links from standings and matches.
        return lookup in {"standing", "match"} or super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingEntry]:
        return super().get_queryset(request).select_related("standing__player", "standing__ladder")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        entry = self.get_object(request, object_id)
        context = {}
        if entry is not None:
            context = {
                "item": explain_entry(entry, entry.standing.player),
                "title": _("Entry %(number)s of %(player)s")
                % {"number": entry.sequence, "player": entry.standing.player},
            }
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @display(description=_("standing"), header=True)
    def who(self, entry: RatingEntry) -> tuple[str, str]:
        return entry.standing.player.username, f"{entry.standing.ladder} · {entry.sequence}"

    @display(description=_("kind"), label=KIND_COLOURS)
    def kind_label(self, entry: RatingEntry) -> tuple[str, str]:
        return entry.kind, entry.get_kind_display()

    @display(description=_("change"))
    def change(self, entry: RatingEntry) -> str:
        return signed(entry.delta)
