"""The audit trail: who did what to what, and why."""

from __future__ import annotations

from uuid import UUID

from django.apps import apps
from django.contrib import admin
from django.db.models import Q
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from ladder.admin.base import PlayerSearch, ReadOnlyAdmin
from ladder.admin.words import action_in_words
from ladder.models import AuditEntry

# What a whole id in the search box may mean.
TARGETS_BY_UUID = ("match", "servicekey")
# Where the nouns of the trail are found.
APPS = ("ladder", "matchmaking")


@admin.register(AuditEntry)
class AuditEntryAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("created_at", "who", "deed", "target", "reason")
    list_select_related = ("actor",)
    search_help_text = _("Start of the actor's username, or a match id")
    fields = (("created_at", "who", "deed"), "target", "reason", "data")
    readonly_fields = ("who", "deed", "target")

    def found(self, players: list[int], uuid: UUID | None) -> Q:
        if uuid:
            return Q(target_type__in=TARGETS_BY_UUID, target_id=str(uuid))
        return Q(actor__in=players)

    @display(description=_("actor"))
    def who(self, entry: AuditEntry) -> str:
        return str(entry.actor) if entry.actor else str(_("the system"))

    @display(description=_("deed"))
    def deed(self, entry: AuditEntry) -> str:
        return action_in_words(entry.action)

    @display(description=_("target"))
    def target(self, entry: AuditEntry) -> str | SafeString:
        models = (apps.all_models[app].get(entry.target_type) for app in APPS)
        noun = next(model for model in models if model is not None)._meta
        text = f"{noun.verbose_name} {entry.target_id}"
        try:
            url = reverse(f"admin:{noun.app_label}_{noun.model_name}_change", args=[entry.target_id])
        except NoReverseMatch:
            return text
        return format_html('<a class="lad-link" href="{}">{}</a>', url, text)
