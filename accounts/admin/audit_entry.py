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

from accounts.admin.search import PlayerSearch
from accounts.models import AuditEntry
from accounts.points import action_label
from common.admin.base import ReadOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("created_at", "actor_name", "action_name", "target", "reason")
    list_select_related = ("actor",)
    search_help_text = _("Start of the actor's username, or a match id")
    fields = (("created_at", "actor_name", "action_name"), "target", "reason", "data")
    readonly_fields = ("actor_name", "action_name", "target")

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        if uuid:
            return Q(target_id=str(uuid))
        return Q(actor__in=players)

    @display(description=_("actor"))
    def actor_name(self, entry: AuditEntry) -> str:
        return str(entry.actor) if entry.actor else str(_("the system"))

    @display(description=_("action"))
    def action_name(self, entry: AuditEntry) -> str:
        return action_label(entry.action)

    @display(description=_("target"))
    def target(self, entry: AuditEntry) -> str | SafeString:
        model = apps.get_model(entry.target_type)._meta
        text = f"{model.verbose_name} {entry.target_id}"
        try:
            url = reverse(f"admin:{model.app_label}_{model.model_name}_change", args=[entry.target_id])
        except NoReverseMatch:
            return text
        return format_html('<a class="lad-link" href="{}">{}</a>', url, text)
