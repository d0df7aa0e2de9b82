"""Suspensions: moderators keep an account from starting matches, and let it play again. Nobody edits or deletes one."""

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

from accounts.admin.lifting import InForce, LiftableAdmin, Words
from accounts.admin.staff import staff
from accounts.models import Suspension, User
from accounts.queries.suspensions import clock
from accounts.services import suspensions
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, page
from common.dry_run import dry_run
from common.errors import Invalid, Refusal


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
    service = suspensions
    permission = "accounts.suspend_account"
    words = Words(
        this=_("Lift this suspension"),
        title=_("Lift a suspension"),
        effect=_("The account may start matches again at once."),
        button=_("Lift the suspension"),
        done=_("The suspension is lifted: the account may play again."),
    )

    def about(self, suspension: Suspension) -> str:
        if suspension.until is None:
            return gettext("for good")
        return gettext("until %(until)s") % {"until": clock(suspension.until)}

    def get_urls(self) -> list[Any]:
        suspend = self.admin_site.admin_view(self.suspend_view)
        return [path("of/<int:account_id>/", suspend, name="accounts_suspension_suspend"), *super().get_urls()]

    def suspend_view(self, request: HttpRequest, account_id: int) -> HttpResponse:
        """GET asks; a POST shows what was asked for; a POST with ``confirm`` suspends."""
        if not self.has_right(request):
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
            return redirect(reverse("admin:accounts_user_change", args=[account.pk]))
        return self.leave(request, suspension, messages.SUCCESS, gettext("The account is suspended."))

    def ask(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        return page(
            self, request, "admin/accounts/suspension_suspend.html", title=_("Suspend an account"), form=form,
            account=account, cancel_url=reverse("admin:accounts_user_change", args=[account.pk]),
            media=self.media + form.media,
        )  # fmt: skip

    def show(self, request: HttpRequest, form: SuspendForm, account: User) -> HttpResponse:
        wanted = form.cleaned_data
        kept = {"until_0": form.data.get("until_0", ""), "until_1": form.data.get("until_1", "")}
        return page(
            self, request, "admin/accounts/suspension_confirm.html", title=_("Suspend an account"), account=account,
            until=wanted["until"], reason=wanted["reason"], kept={**kept, "reason": wanted["reason"]},
        )  # fmt: skip

    @display(description=_("until"))
    def ends(self, suspension: Suspension) -> Any:
        return suspension.until or _("for good")

    @display(description=_("reason"))
    def why(self, suspension: Suspension) -> str:
        return Truncator(suspension.reason).chars(80)
