"""Decay pauses. Moderators declare them and end them early. They cannot be edited or deleted."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import RelatedDropdownFilter
from unfold.decorators import display
from unfold.widgets import UnfoldAdminDateWidget, UnfoldAdminSelectWidget

from accounts.admin.staff import staff
from common.admin.base import BaseAdmin
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, label, page
from common.background import run_soon
from common.errors import Invalid
from common.transactions import dry_run
from ladder import tasks
from ladder.models import DecayPause, Ladder
from ladder.services import decay


class PauseForm(ReasonForm):
    ladder = forms.ModelChoiceField(Ladder.objects.none(), label=_("Ladder"), widget=UnfoldAdminSelectWidget())
    first_day = forms.DateField(label=_("From"), widget=UnfoldAdminDateWidget())
    last_day = forms.DateField(
        label=_("To"),
        help_text=_("This day is included. The days are in the ladder's time zone."),
        widget=UnfoldAdminDateWidget(),
    )
    field_order = ("ladder", "first_day", "last_day", "reason")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        decaying = [ladder.pk for ladder in Ladder.objects.all() if decay.has_decay(ladder)]
        ladders = self.fields["ladder"]
        assert isinstance(ladders, forms.ModelChoiceField)
        ladders.queryset = Ladder.objects.filter(pk__in=decaying)
        if len(decaying) == 1:
            ladders.initial = decaying[0]


class EndForm(ReasonForm):
    last_day = forms.DateField(label=_("New end"), widget=UnfoldAdminDateWidget())
    field_order = ("last_day", "reason")


@admin.register(DecayPause)
class DecayPauseAdmin(BaseAdmin):
    list_display = ("days", "state", "why", "declared_by", "declared_at")
    list_select_related = ("ladder", "declared_by")
    list_filter = (("ladder", RelatedDropdownFilter),)
    ordering = ("-first_day", "-id")
    fields = (
        ("ladder", "state"),
        ("first_day", "last_day"),
        "reason",
        ("declared_by", "declared_at"),
        "reversed_at",
    )
    readonly_fields = ("state",)
    change_form_template = "admin/ladder/decay_pause.html"

    def get_urls(self) -> list[Any]:
        end = self.admin_site.admin_view(self.end_view)
        return [path("<int:pause_id>/end/", end, name="ladder_decaypause_end"), *super().get_urls()]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """GET shows the form, POST a preview, and POST with ``confirm`` declares the pause."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = PauseForm(request.POST or None)
        if "back" in request.POST or not form.is_valid():
            return self.show_form(request, form)
        values = {**form.cleaned_data, "actor": staff(request)}
        try:
            if "confirm" not in request.POST:
                dry_run(lambda: decay.declare_pause(**values))
                return self.show_preview(request, form)
            pause = decay.declare_pause(**values)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.show_form(request, form)
        transaction.on_commit(partial(run_soon, tasks.bring_decay_up_to_date), robust=True)
        return self.redirect_to(request, pause, gettext("The pause is declared. Decay on its days is reversed."))

    def show_form(self, request: HttpRequest, form: PauseForm) -> HttpResponse:
        return page(
            self, request, "admin/ladder/decay_pause_declare.html", title=_("Declare a pause"), form=form,
            media=self.media + form.media,
        )  # fmt: skip

    def show_preview(self, request: HttpRequest, form: PauseForm) -> HttpResponse:
        values = form.cleaned_data
        ladder: Ladder = values["ladder"]
        first: date = values["first_day"]
        last: date = values["last_day"]
        ahead = (last - max(first, decay.next_day(ladder))).days + 1
        return page(
            self, request, "admin/ladder/decay_pause_confirm.html", title=_("Declare a pause"), ladder=ladder,
            first=first, last=last, reason=values["reason"], days=(last - first).days + 1, ahead=max(ahead, 0),
            total=decay.unreversed_decay(ladder, first, last),
            kept={"ladder": ladder.pk, "first_day": first.isoformat(), "last_day": last.isoformat(),
                  "reason": values["reason"]},
        )  # fmt: skip

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        pause = self.get_object(request, object_id)
        can_end = pause is not None and self.has_add_permission(request) and decay.can_end_early(pause)
        return super().change_view(request, object_id, form_url, {"can_end": can_end, **(extra_context or {})})

    def end_view(self, request: HttpRequest, pause_id: int) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        pause = self.get_object(request, str(pause_id))
        if pause is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(pause_id))
        form = EndForm(request.POST or None, initial={"last_day": decay.earliest_end(pause)})
        if form.is_valid():
            try:
                decay.end_pause(pause, **form.cleaned_data, actor=staff(request))
            except Invalid as refusal:
                add_refusal(form, refusal)
            else:
                return self.redirect_to(
                    request, pause, gettext("The pause ends earlier now. Past days keep the pause.")
                )
        return page(
            self, request, "admin/ladder/decay_pause_end.html", title=_("End a pause early"), form=form, pause=pause,
            original=pause, media=self.media + form.media,
        )  # fmt: skip

    def redirect_to(self, request: HttpRequest, pause: DecayPause, text: str) -> HttpResponse:
        self.message_user(request, text, messages.SUCCESS)
        return redirect(reverse("admin:ladder_decaypause_change", args=[pause.pk]))

    @display(description=_("days"), header=True)
    def days(self, pause: DecayPause) -> tuple[str, str]:
        return f"{date_format(pause.first_day)} - {date_format(pause.last_day)}", pause.ladder.name

    @display(description=_("state"))
    def state(self, pause: DecayPause) -> SafeString:
        today = decay.today(pause.ladder)
        if pause.last_day < today:
            return label(_("over"), "default")
        return label(_("ahead"), "info") if today < pause.first_day else label(_("in force"), "warning")

    @display(description=_("reason"))
    def why(self, pause: DecayPause) -> str:
        return Truncator(pause.reason).chars(80)
