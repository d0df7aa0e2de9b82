"""Decay runs: the days of decay and the points that they took. Superusers can reverse a run."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.staff import staff
from common.admin.base import ReadOnlyAdmin
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, page
from common.errors import Conflict, Invalid
from ladder.admin.decay_chart import chart, tiers_in_order
from ladder.admin.texts import RUN_COLOURS, duration_text
from ladder.models import DecayRun
from ladder.queries.decay import progress
from ladder.services import decay


@admin.register(DecayRun)
class DecayRunAdmin(ReadOnlyAdmin):
    list_display = ("day_and_ladder", "state_label", "standings", "points", "took", "last_error")
    list_select_related = ("ladder",)
    list_filter = (("ladder", RelatedDropdownFilter), ("state", ChoicesDropdownFilter))
    list_before_template = "admin/ladder/parts/decay.html"
    change_form_template = "admin/ladder/decay_run.html"
    ordering = ("-day", "ladder_id")
    fields = ()

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.reversal_view)
        return [path("<int:run_id>/reverse/", view, name="ladder_decayrun_reverse"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        ladder = request.GET.get("ladder__id__exact", "")
        context = {"progress": progress(), "chart": chart(int(ladder) if ladder.isdecimal() else None)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        run = self.get_object(request, object_id)
        context = {} if run is None else {
            "title": f"{run.ladder} · {date_format(run.day)}",
            "run": run,
            "state_colour": RUN_COLOURS[DecayRun.State(run.state)],
            "took": self.took(run),
            "tiers": totals(run),
            "may_reverse": staff(request).is_superuser and run.state == DecayRun.State.COMPLETED,
        }  # fmt: skip
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def reversal_view(self, request: HttpRequest, run_id: int) -> HttpResponse:
        """GET shows what the run took and asks for a reason, and POST reverses it."""
        if not staff(request).is_superuser:
            raise PermissionDenied
        run = self.get_object(request, str(run_id))
        if run is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(run_id))
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            try:
                changed = decay.reverse_run(run, actor=staff(request), reason=form.cleaned_data["reason"])
            except Invalid as refusal:
                add_refusal(form, refusal)
            except Conflict as conflict:
                return self.redirect_to(request, run, messages.ERROR, conflict.detail)
            else:
                return self.redirect_to(request, run, messages.SUCCESS, outcome(changed))
        elif run.state != DecayRun.State.COMPLETED:
            return self.redirect_to(request, run, messages.WARNING, gettext("This run cannot be reversed."))
        return page(
            self, request, "admin/ladder/decay_reverse.html", title=_("Reverse a decay run"), run=run, original=run,
            form=form, total=decay.unreversed_decay(run.ladder, run.day, run.day),
        )  # fmt: skip

    def redirect_to(self, request: HttpRequest, run: DecayRun, level: int, text: str) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect(reverse("admin:ladder_decayrun_change", args=[run.pk]))

    @display(description=_("day"), header=True)
    def day_and_ladder(self, run: DecayRun) -> tuple[str, str]:
        return date_format(run.day), run.ladder.name

    @display(description=_("state"), label=RUN_COLOURS)
    def state_label(self, run: DecayRun) -> tuple[str, str]:
        return run.state, run.get_state_display()

    @display(description=_("took"))
    def took(self, run: DecayRun) -> str:
        return "-" if run.duration is None else duration_text(run.duration)

    @display(description=_("last error"))
    def last_error(self, run: DecayRun) -> str:
        return Truncator(run.error).chars(80) or "-"


def totals(run: DecayRun) -> list[tuple[str, int, Decimal]]:
    """The totals of the run by tier, the highest first: name, number of standings, points."""
    return [
        (tier, run.by_tier[tier]["standings"], Decimal(run.by_tier[tier]["points"]))
        for tier in reversed(tiers_in_order())
        if tier in run.by_tier
    ]


def outcome(run: DecayRun) -> str:
    if run.state == DecayRun.State.REVERSED:
        return gettext("The run is reversed.")
    return gettext("The run is being reversed. A worker that is running decay on this ladder will finish it.")
