"""Admin pages of rows that a moderator can lift: suspensions here, penalties in matchmaking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import action, display

from accounts.admin.search import PlayerSearch
from accounts.admin.staff import staff
from accounts.models import User
from accounts.models.liftable import Liftable
from common.admin.base import ReadOnlyAdmin
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, label, page
from common.errors import Invalid, Refusal


class LiftService(Protocol):
    """The service that lifts rows."""

    def check_lift(self, row: Any, actor: User, /) -> None: ...

    def lift(self, row_id: int, /, *, actor: User, reason: str) -> Any: ...


class LiftTexts(NamedTuple):
    """The ``link`` on the row's page, the texts of the page that it opens, and the message when it is ``done``."""

    link: str | Promise
    title: str | Promise
    effect: str | Promise
    button: str | Promise
    done: str | Promise


class LiftForm(ReasonForm):
    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["reason"].help_text = _("The audit trail keeps it.")


class InForceFilter(DropdownFilter):
    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("In force")), ("no", _("Ended or lifted"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        in_force = Liftable.in_force(timezone.now())
        if self.value() in ("yes", "no"):
            return queryset.filter(in_force if self.value() == "yes" else ~in_force)
        return queryset


class LiftableAdmin(PlayerSearch, ReadOnlyAdmin):
    """Shows rows and whether they are in force, and can lift one. Rows cannot be changed or deleted."""

    service: LiftService
    permission: str
    texts: LiftTexts

    actions_detail = ("lift",)
    readonly_fields: Any = ("state",)

    def may_lift(self, request: HttpRequest) -> bool:
        """Whether the account has the permission to lift rows."""
        return staff(request).has_perm(self.permission)

    def description(self, row: Any) -> str:
        """A text about the row, shown after the player's name on the page that asks for the reason."""
        return ""

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        row = self.get_object(request, object_id)
        if row is None or not self.may_lift(request) or self._refusal(request, row) is not None:
            return []
        return [replace(each, description=self.texts.link) for each in super().get_actions_detail(request, object_id)]

    @action(url_path="lift", icon="lock_open")
    def lift(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """GET asks for a reason; POST lifts the row."""
        if not self.may_lift(request):
            raise PermissionDenied
        row = self.get_object(request, object_id)
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if (not_possible := self._refusal(request, row)) is not None:
            return self.back_to_row(request, row, messages.ERROR, not_possible.detail)
        form = LiftForm(request.POST or None)
        if form.is_valid():
            try:
                self.service.lift(row.pk, actor=staff(request), reason=form.cleaned_data["reason"])
            except Invalid as refusal:
                add_refusal(form, refusal)
            except Refusal as refusal:
                return self.back_to_row(request, row, messages.ERROR, refusal.detail)
            else:
                return self.back_to_row(request, row, messages.SUCCESS, self.texts.done)
        return page(
            self, request, "admin/accounts/lift.html", title=self.texts.title, texts=self.texts,
            description=self.description(row), form=form, original=row, cancel_url=self._url(row),
        )  # fmt: skip

    def back_to_row(self, request: HttpRequest, row: Any, level: int, text: str | Promise) -> HttpResponse:
        """Show a message on the page of the row."""
        self.message_user(request, text, level)
        return redirect(self._url(row))

    @display(description=_("state"))
    def state(self, row: Any) -> SafeString:
        if row.lifted_at is not None:
            return label(_("lifted"), "default")
        if row.is_in_force(timezone.now()):
            return label(_("in force"), "danger")
        return label(self.ended_text(row), "default")

    def ended_text(self, row: Any) -> str | Promise:
        """The state of a row whose time is over."""
        return _("ended")

    def _refusal(self, request: HttpRequest, row: Any) -> Refusal | None:
        try:
            self.service.check_lift(row, staff(request))
        except Refusal as refusal:
            return refusal
        return None

    def _url(self, row: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])
