"""Suspensions. Moderators suspend an account and lift a suspension; none can be changed or deleted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

from accounts.admin.lifting import InForceFilter, LiftableAdmin, LiftTexts
from accounts.admin.staff import staff
from accounts.models import Suspension, User
from accounts.queries.suspensions import minute_text
from accounts.services import suspensions
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, page
from common.errors import Invalid, Refusal
from common.transactions import dry_run


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


@admin.register(Suspension)
class SuspensionAdmin(LiftableAdmin):
    list_display = ("account", "state", "created_at", "ends", "short_reason", "created_by")
    list_select_related = ("account", "created_by", "lifted_by")
    list_filter = (InForceFilter,)
    fields = (
        ("account", "state"),
        ("created_at", "ends"),
        "reason",
        "created_by",
        ("lifted_at", "lifted_by"),
        "lifted_reason",
    )
    readonly_fields = ("state", "ends")
    service = suspensions
    permission = "accounts.suspend_account"
    texts = LiftTexts(
        link=_("Lift this suspension"),
        title=_("Lift a suspension"),
        effect=_("The account can start matches again at once."),
        button=_("Lift the suspension"),
        done=_("The suspension is lifted: the account can play again."),
    )

    def description(self, suspension: Suspension) -> str:
        if suspension.until is None:
            return gettext("for good")
        return gettext("until %(until)s") % {"until": minute_text(suspension.until)}

    def get_urls(self) -> list[Any]:
        suspend = self.admin_site.admin_view(self.suspend_view)
        return [path("of/<int:account_id>/", suspend, name="accounts_suspension_suspend"), *super().get_urls()]

    def suspend_view(self, request: HttpRequest, account_id: int) -> HttpResponse:
        """GET shows a form; POST shows what it would do; POST with ``confirm`` suspends the account."""
        if not self.may_lift(request):
            raise PermissionDenied
        account = User.objects.filter(pk=account_id).first()
        if account is None:
            return self._get_obj_does_not_exist_redirect(request, User._meta, str(account_id))
        form = SuspendForm(request.POST or None)
        if "back" in request.POST or not form.is_valid():
            return self.form_page(request, form, account)
        arguments = {**form.cleaned_data, "actor": staff(request)}
        try:
            if "confirm" not in request.POST:
                dry_run(lambda: suspensions.suspend(account.pk, **arguments))
                return self.confirm_page(request, form, account)
            suspension = suspensions.suspend(account.pk, **arguments)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.form_page(request, form, account)
        except Refusal as refusal:
            self.message_user(request, refusal.detail, messages.ERROR)
            return redirect(reverse("admin:accounts_user_change", args=[account.pk]))
        return self.back_to_row(request, suspension, messages.SUCCESS, gettext("The account is suspended."))

    def form_page(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        return page(
            self, request, "admin/accounts/suspension_suspend.html", title=_("Suspend an account"), form=form,
            account=account, cancel_url=reverse("admin:accounts_user_change", args=[account.pk]),
            media=self.media + form.media,
        )  # fmt: skip

    def confirm_page(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        until, reason = form.cleaned_data["until"], form.cleaned_data["reason"]
        kept = {"until_0": form.data.get("until_0", ""), "until_1": form.data.get("until_1", ""), "reason": reason}
        return page(
            self, request, "admin/accounts/suspension_confirm.html", title=_("Suspend an account"), account=account,
            until=until, reason=reason, kept=kept,
        )  # fmt: skip

    @display(description=_("until"))
    def ends(self, suspension: Suspension) -> Any:
        return suspension.until or _("for good")

    @display(description=_("reason"))
    def short_reason(self, suspension: Suspension) -> str:
        return Truncator(suspension.reason).chars(80)
