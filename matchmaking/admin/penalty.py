"""Penalties: players who let offers go. Moderators lift one with a reason; nobody edits or deletes one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, DropdownFilter
from unfold.decorators import display

from ladder.admin.base import PlayerSearch, ReadOnlyAdmin
from ladder.admin.forms import LiftForm
from ladder.admin.requests import add_refusal, label, page, staff
from ladder.services.errors import Invalid, Refusal
from matchmaking.models import Penalty
from matchmaking.services import penalties


class InForce(DropdownFilter):
    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("In force")), ("no", _("Ended or lifted"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Penalty]) -> QuerySet[Penalty]:
        keeps_out = Q(lifted_at__isnull=True, until__gt=timezone.now())
        if self.value() in ("yes", "no"):
            return queryset.filter(keeps_out if self.value() == "yes" else ~keeps_out)
        return queryset


@admin.register(Penalty)
class PenaltyAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("account", "fault", "state", "created_at", "until", "lifted_by")
    list_select_related = ("account", "lifted_by")
    list_filter = (InForce, ("fault", ChoicesDropdownFilter))
    search_help_text = _("Start of a player's username, or a match id")
    fields = (("account", "state"), ("match", "fault"), ("created_at", "until"), ("lifted_at", "lifted_by"),
              "lifted_reason")  # fmt: skip
    readonly_fields = ("state",)
    change_form_template = "admin/matchmaking/penalty.html"

    def found(self, players: list[int], match_id: UUID | None) -> Q:
        return Q(match=match_id) if match_id else Q(account__in=players)

    def get_urls(self) -> list[Any]:
        lift = self.admin_site.admin_view(self.lift_view)
        return [path("<int:penalty_id>/lift/", lift, name="matchmaking_penalty_lift"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        penalty = self.get_object(request, object_id)
        may = penalty is not None and penalty.lifted_at is None and may_lift(request)
        return super().change_view(request, object_id, form_url, {"may_lift": may, **(extra_context or {})})

    def lift_view(self, request: HttpRequest, penalty_id: int) -> HttpResponse:
        if not may_lift(request):
            raise PermissionDenied
        penalty = self.get_object(request, str(penalty_id))
        if penalty is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(penalty_id))
        form = LiftForm(request.POST or None)
        if form.is_valid():
            try:
                penalties.lift(penalty.pk, actor=staff(request), reason=form.cleaned_data["reason"])
            except Invalid as refusal:
                add_refusal(form, refusal)
            except Refusal as refusal:
                return self.leave(request, penalty, messages.ERROR, refusal.detail)
            else:
                return self.leave(request, penalty, messages.SUCCESS, _now("The penalty is lifted."))
        return page(
            self, request, "admin/matchmaking/penalty_lift.html", title=_("Lift a penalty"), form=form,
            penalty=penalty, original=penalty,
            cancel_url=reverse("admin:matchmaking_penalty_change", args=[penalty.pk]),
        )  # fmt: skip

    def leave(self, request: HttpRequest, penalty: Penalty, level: int, text: str) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect(reverse("admin:matchmaking_penalty_change", args=[penalty.pk]))

    @display(description=_("state"))
    def state(self, penalty: Penalty) -> SafeString:
        if penalty.lifted_at is not None:
            return label(_("lifted"), "default")
        if penalty.until > timezone.now():
            return label(_("in force"), "danger")
        return label(_("a warning") if penalty.until == penalty.created_at else _("over"), "default")


def may_lift(request: HttpRequest) -> bool:
    return staff(request).has_perm("matchmaking.lift_penalty")
