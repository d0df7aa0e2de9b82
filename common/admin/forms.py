"""Forms that several pages use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from common.limits import MAX_TEXT


class ReasonForm(forms.Form):
    """Asks for a reason. Every action that concerns players has one."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_TEXT,
        help_text=_("The players read it."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class LiftForm(ReasonForm):
    """Asks why a suspension or penalty is lifted. Only staff read it."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["reason"].help_text = _("The audit trail keeps it.")
