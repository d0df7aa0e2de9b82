"""What several forms ask for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

LONGEST_TEXT = 2000


class ReasonForm(forms.Form):
    """Nothing that concerns players is done without saying why."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_TEXT,
        help_text=_("The players read it."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class LiftForm(ReasonForm):
    """What a moderator takes back needs a reason too, for his colleagues."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["reason"].help_text = _("The audit trail keeps it.")
