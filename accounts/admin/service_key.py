"""Service keys: issue one, which is shown once; list them without the secret; revoke one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSplitDateTimeWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.admin.staff import staff
from accounts.models import ServiceKey
from accounts.models.service_key import Scope
from accounts.services import service_keys
from common.admin.base import BaseAdmin
from common.admin.pages import add_refusal, label, page
from common.errors import Invalid


class IssueForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("Which server uses it."), widget=UnfoldAdminTextInputWidget()
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"), choices=Scope.choices, widget=UnfoldAdminCheckboxSelectMultipleWidget()
    )
    expires_at = forms.SplitDateTimeField(
        label=_("Expires"),
        required=False,
        help_text=_("Empty: never. Times are in UTC."),
        widget=UnfoldAdminSplitDateTimeWidget(),
    )


@admin.register(ServiceKey)
class ServiceKeyAdmin(BaseAdmin):
    list_display = ("name", "starts_with", "state", "scope_names", "last_used_at", "expires_at", "created_by")
    list_select_related = ("created_by",)
    fields = (
        ("name", "starts_with", "state"),
        "scope_names",
        ("created_at", "created_by"),
        ("last_used_at", "expires_at", "revoked_at"),
    )
    readonly_fields = (
        "name", "starts_with", "state", "scope_names", "created_at", "created_by", "last_used_at", "expires_at",
        "revoked_at",
    )  # fmt: skip
    actions_detail = ("revoke",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def may_revoke(self, request: HttpRequest) -> bool:
        return staff(request).has_perm("accounts.change_servicekey")

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = IssueForm(request.POST or None)
        if form.is_valid():
            try:
                key, secret = service_keys.issue(**form.cleaned_data, actor=staff(request))
            except Invalid as refusal:
                add_refusal(form, refusal)
            else:
                return self.issued(request, key, secret)
        return page(
            self, request, "admin/accounts/service_key_issue.html", title=_("Issue a service key"), form=form,
            media=self.media + form.media,
        )  # fmt: skip

    def issued(self, request: HttpRequest, key: ServiceKey, secret: str) -> HttpResponse:
        """The only page that contains the key. The server does not store it, and the browser must not cache it."""
        response = page(
            self,
            request,
            "admin/accounts/service_key_issued.html",
            title=_("Service key issued"),
            key=key,
            secret=secret,
        )
        response["Cache-Control"] = "no-store"
        return response

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        key = self.get_object(request, object_id)
        if key is None or key.revoked_at is not None or not self.may_revoke(request):
            return []
        actions: list[Any] = super().get_actions_detail(request, object_id)
        return actions

    @action(description=_("Revoke this key"), url_path="revoke", icon="block", variant=ActionVariant.DANGER)
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """GET asks for confirmation; POST revokes the key."""
        if not self.may_revoke(request):
            raise PermissionDenied
        key = self.get_object(request, object_id)
        if key is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if request.method != "POST":
            return page(
                self,
                request,
                "admin/accounts/service_key_revoke.html",
                title=_("Revoke a service key"),
                key=key,
                original=key,
            )
        service_keys.revoke(key, actor=staff(request))
        self.message_user(request, gettext("The key is revoked."), messages.SUCCESS)
        return redirect(reverse("admin:accounts_servicekey_change", args=[key.pk]))

    @display(description=_("starts with"))
    def starts_with(self, key: ServiceKey) -> str:
        return f"{key.hint}…"

    @display(description=_("state"))
    def state(self, key: ServiceKey) -> SafeString:
        if key.revoked_at:
            return label(_("revoked"), "danger")
        if key.expires_at and key.expires_at <= timezone.now():
            return label(_("expired"), "warning")
        return label(_("valid"), "success")

    @display(description=_("scopes"))
    def scope_names(self, key: ServiceKey) -> str:
        return ", ".join(str(Scope(scope).label) for scope in key.scopes)
