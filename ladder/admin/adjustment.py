"""The page on which a superuser adjusts a standing, with a preview before it is saved."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminIntegerFieldWidget

from accounts.admin.staff import staff
from common.admin.forms import ReasonForm
from common.admin.pages import add_refusal, page
from common.errors import Invalid
from common.transactions import dry_run
from ladder.admin.explanations import explain_entry
from ladder.limits import MAX_EXPERIENCE, MAX_POINTS
from ladder.models import RatingEntry, Standing
from ladder.services.ledger.adjusting import adjust


class AdjustmentForm(ReasonForm):
    points = forms.DecimalField(
        label=_("Points"),
        min_value=-MAX_POINTS,
        max_value=MAX_POINTS,
        decimal_places=2,
        initial=0,
        help_text=_("Added to the rating. A negative number is subtracted."),
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    experience = forms.IntegerField(
        label=_("Experience"),
        min_value=-MAX_EXPERIENCE,
        max_value=MAX_EXPERIENCE,
        initial=0,
        help_text=_("Match points, added to the experience. A negative number is subtracted."),
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    # The number of ledger entries when the form was opened.
    seen = forms.CharField(widget=forms.HiddenInput(), required=False)
    field_order = ("points", "experience", "reason")


class AdjustmentPage(View):
    """GET shows the form, POST a preview, and POST with ``confirm`` saves the adjustment."""

    model_admin: Any = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not staff(request).is_superuser:
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, standing_id: int) -> HttpResponse:
        return self.show_form(find_standing(standing_id), AdjustmentForm())

    def post(self, request: HttpRequest, standing_id: int) -> HttpResponse:
        standing = find_standing(standing_id)
        form = AdjustmentForm(request.POST)
        if "back" in request.POST or not form.is_valid():
            return self.show_form(standing, form)
        values = dict(form.cleaned_data)
        is_unchanged = values.pop("seen") == str(standing.last_sequence)
        save = partial(adjust, standing, actor=staff(request), **values)
        confirmed = "confirm" in request.POST and is_unchanged
        try:
            entry = save() if confirmed else dry_run(save)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.show_form(standing, form)
        if confirmed:
            messages.success(request, gettext("The rating is adjusted. The player is notified."))
            return redirect(reverse("admin:ladder_standing_change", args=[standing.pk]))
        if "confirm" in request.POST:
            messages.warning(
                request, gettext("The standing has changed since you opened this page. Please check again.")
            )
        return self.show_preview(standing, form, entry)

    def show_form(self, standing: Standing, form: AdjustmentForm) -> HttpResponse:
        return page(
            self.model_admin, self.request, "admin/ladder/standing_adjust.html", title=_("Adjust the rating"),
            form=form, standing=standing, original=standing,
        )  # fmt: skip

    def show_preview(self, standing: Standing, form: AdjustmentForm, entry: RatingEntry) -> HttpResponse:
        return page(
            self.model_admin, self.request, "admin/ladder/standing_adjust_confirm.html", title=_("Adjust the rating"),
            standing=standing, original=standing, item=explain_entry(entry, standing.player),
            reason=form.cleaned_data["reason"],
            kept={name: form.cleaned_data[name] for name in form.fields} | {"seen": standing.last_sequence},
        )  # fmt: skip


def find_standing(standing_id: int) -> Standing:
    return get_object_or_404(Standing.objects.select_related("player", "ladder"), pk=standing_id)
