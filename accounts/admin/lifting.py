"""What keeps a player out and a moderator may lift: suspensions here, penalties of the queue in matchmaking."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from accounts.admin.staff import staff
from accounts.models import User
from accounts.models.liftable import Liftable
from common.admin.base import ReadOnlyAdmin
from common.admin.forms import LiftForm
from common.admin.pages import add_refusal, label, page
from common.errors import Invalid, Refusal


class Lifting(Protocol):
    """The service behind the pages; what it refuses is told in its own words."""

    def check_lift(self, row: Any, actor: User, /) -> None: ...

    def lift(self, row_id: int, /, *, actor: User, reason: str) -> Any: ...


class Words(NamedTuple):
    """``this`` leads from the row's page to the one with ``title``, ``effect`` and ``button``; then it is ``done``."""

    this: str | Promise
    title: str | Promise
    effect: str | Promise
    button: str | Promise
    done: str | Promise


class InForce(DropdownFilter):
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
    """Shows the rows, says which are in force, and has a button that lifts one. Nobody edits or deletes one."""

    service: Lifting
    permission: str
    words: Words

    change_form_template = "admin/accounts/liftable.html"
    readonly_fields: Any = ("state",)

    def has_right(self, request: HttpRequest) -> bool:
        """Whether the account may lift any at all."""
        return staff(request).has_perm(self.permission)

    def about(self, row: Any) -> str:
        """What the page that asks for a reason says of the row beside the player; nothing, where he is enough."""
        return ""

    def get_urls(self) -> list[Any]:
        lift = self.admin_site.admin_view(self.lift_view)
        return [path("<int:row_id>/lift/", lift, name=self._name("lift")), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        context = {}
        if row is not None and self.has_right(request) and self._refusal(request, row) is None:
            context = {"lift_url": self._url("lift", row), "lift_text": self.words.this}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def lift_view(self, request: HttpRequest, row_id: int) -> HttpResponse:
        """GET asks for a reason; a POST lifts."""
        if not self.has_right(request):
            raise PermissionDenied
        row = self.get_object(request, str(row_id))
        if row is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(row_id))
        if (not_this := self._refusal(request, row)) is not None:
            return self.leave(request, row, messages.ERROR, not_this.detail)
        form = LiftForm(request.POST or None)
        if form.is_valid():
            try:
                self.service.lift(row.pk, actor=staff(request), reason=form.cleaned_data["reason"])
            except Invalid as refusal:
                add_refusal(form, refusal)
            except Refusal as refusal:
                return self.leave(request, row, messages.ERROR, refusal.detail)
            else:
                return self.leave(request, row, messages.SUCCESS, self.words.done)
        return page(
            self, request, "admin/accounts/lift.html", title=self.words.title, words=self.words,
            about=self.about(row), form=form, original=row, cancel_url=self._url("change", row),
        )  # fmt: skip

    def leave(self, request: HttpRequest, row: Any, level: int, text: str | Promise) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect(self._url("change", row))

    @display(description=_("state"))
    def state(self, row: Any) -> SafeString:
        if row.lifted_at is not None:
            return label(_("lifted"), "default")
        if row.is_in_force(timezone.now()):
            return label(_("in force"), "danger")
        return label(self.over(row), "default")

    def over(self, row: Any) -> str | Promise:
        """What one is called whose time has passed."""
        return _("over")

    def _refusal(self, request: HttpRequest, row: Any) -> Refusal | None:
        try:
            self.service.check_lift(row, staff(request))
        except Refusal as refusal:
            return refusal
        return None

    def _name(self, view: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{view}"

    def _url(self, view: str, row: Any) -> str:
        return reverse(f"admin:{self._name(view)}", args=[row.pk])
