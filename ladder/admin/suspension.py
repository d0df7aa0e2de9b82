"""Suspensions: moderators keep an account from starting matches, and let it play again. Nobody edits or deletes one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import display
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

from ladder.admin.base import PlayerSearch, ReadOnlyAdmin
from ladder.admin.forms import LiftForm, ReasonForm
from ladder.admin.requests import add_refusal, label, page, staff
from ladder.models import Suspension, User
from ladder.services import suspensions
from ladder.services.dry_run import dry_run
from ladder.services.errors import Invalid, Refusal


class SuspendForm(ReasonForm):
    until = forms.SplitDateTimeField(
        label=_("Until"),
        required=False,
        help_text=_("Empty: for good. Times are in UTC."),
        widget=UnfoldAdminSplitDateTimeWidget(),
    )
    field_order = ("until", "reason")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["reason"].help_text = _("The player reads it.")


class InForce(DropdownFilter):
    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("In force")), ("no", _("Ended or lifted"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Suspension]) -> QuerySet[Suspension]:
        if self.value() == "yes":
            return queryset.filter(pk__in=suspensions.in_force())
        return queryset.exclude(pk__in=suspensions.in_force()) if self.value() == "no" else queryset


@admin.register(Suspension)
class SuspensionAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("account", "state", "created_at", "ends", "why", "created_by")
    list_select_related = ("account", "created_by", "lifted_by")
    list_filter = (InForce,)
    fields = (
        ("account", "state"),
        ("created_at", "ends"),
        "reason",
        "created_by",
        ("lifted_at", "lifted_by"),
        "lifted_reason",
    )
    readonly_fields = ("state", "ends")
    change_form_template = "admin/ladder/suspension.html"

    def found(self, players: list[int], match_id: UUID | None) -> Q:
        return Q(account__in=players)

    def get_urls(self) -> list[Any]:
        suspend, lift = map(self.admin_site.admin_view, (self.suspend_view, self.lift_view))
        return [
            path("of/<int:account_id>/", suspend, name="ladder_suspension_suspend"),
            path("<int:suspension_id>/lift/", lift, name="ladder_suspension_lift"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        suspension = self.get_object(request, object_id)
        may_lift = suspension is not None and suspension.is_in_force(timezone.now()) and suspensions.may_suspend(
            suspension.account, staff(request)
        )  # fmt: skip
        return super().change_view(request, object_id, form_url, {"may_lift": may_lift, **(extra_context or {})})

    def suspend_view(self, request: HttpRequest, account_id: int) -> HttpResponse:
        """GET asks; a POST shows what was asked for; a POST with ``confirm`` suspends."""
        if not is_moderator(request):
            raise PermissionDenied
        account = User.objects.filter(pk=account_id).first()
        if account is None:
            return self._get_obj_does_not_exist_redirect(request, User._meta, str(account_id))
        form = SuspendForm(request.POST or None)
        if "back" in request.POST or not form.is_valid():
            return self.ask(request, form, account)
        wanted = {**form.cleaned_data, "actor": staff(request)}
        try:
            if "confirm" not in request.POST:
                dry_run(lambda: suspensions.suspend(account.pk, **wanted))
                return self.show(request, form, account)
            suspension = suspensions.suspend(account.pk, **wanted)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.ask(request, form, account)
        except Refusal as refusal:
            self.message_user(request, refusal.detail, messages.ERROR)
            return redirect(reverse("admin:ladder_user_change", args=[account.pk]))
        return self.leave(request, suspension, messages.SUCCESS, _now("The account is suspended."))

    def ask(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        return page(
            self, request, "admin/ladder/suspension_suspend.html", title=_("Suspend an account"), form=form,
            account=account, cancel_url=reverse("admin:ladder_user_change", args=[account.pk]),
            media=self.media + form.media,
        )  # fmt: skip

    def show(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        wanted = form.cleaned_data
        kept = {"until_0": form.data.get("until_0", ""), "until_1": form.data.get("until_1", "")}
        return page(
            self, request, "admin/ladder/suspension_confirm.html", title=_("Suspend an account"), account=account,
            until=wanted["until"], reason=wanted["reason"], kept={**kept, "reason": wanted["reason"]},
        )  # fmt: skip

    def lift_view(self, request: HttpRequest, suspension_id: int) -> HttpResponse:
        if not is_moderator(request):
            raise PermissionDenied
        suspension = self.get_object(request, str(suspension_id))
        if suspension is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(suspension_id))
        form = LiftForm(request.POST or None)
        if form.is_valid():
            try:
                suspensions.lift(suspension.pk, actor=staff(request), reason=form.cleaned_data["reason"])
            except Invalid as refusal:
                add_refusal(form, refusal)
            except Refusal as refusal:
                return self.leave(request, suspension, messages.ERROR, refusal.detail)
            else:
                text = _now("The suspension is lifted: the account may play again.")
                return self.leave(request, suspension, messages.SUCCESS, text)
        return page(
            self, request, "admin/ladder/suspension_lift.html", title=_("Lift a suspension"), form=form,
            suspension=suspension, original=suspension,
            cancel_url=reverse("admin:ladder_suspension_change", args=[suspension.pk]),
        )  # fmt: skip

    def leave(self, request: HttpRequest, suspension: Suspension, level: int, text: str) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect(reverse("admin:ladder_suspension_change", args=[suspension.pk]))

    @display(description=_("state"))
    def state(self, suspension: Suspension) -> SafeString:
        if suspension.lifted_at is not None:
            return label(_("lifted"), "default")
        if suspension.is_in_force(timezone.now()):
            return label(_("in force"), "danger")
        return label(_("over"), "default")

    @display(description=_("until"))
    def ends(self, suspension: Suspension) -> Any:
        return suspension.until or _("for good")

    @display(description=_("reason"))
    def why(self, suspension: Suspension) -> str:
        return Truncator(suspension.reason).chars(80)


def is_moderator(request: HttpRequest) -> bool:
    return staff(request).has_perm("ladder.suspend_account")
