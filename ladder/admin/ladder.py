"""Ladders."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin.staff import staff
from common.admin.base import BaseAdmin
from ladder.models import Ladder
from ladder.services import ladders

RULES = ("rule_set", "rule_set_version", "rule_options", "overall")
"""The fields that cannot be changed while the ladder has standings."""


@admin.register(Ladder)
class LadderAdmin(BaseAdmin):
    list_display = ("name", "slug", "rules_title", "time_zone", "lengths")
    ordering = ("slug",)
    formfield_overrides = {ArrayField: {"widget": UnfoldAdminTextInputWidget()}}
    fields = (
        ("name", "slug"),
        ("rule_set", "rule_set_version"),
        ("rule_options", "overall"),
        ("time_zone", "match_lengths"),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> tuple[str, ...]:
        return RULES if obj is not None and obj.is_in_use else ()

    def save_model(self, request: HttpRequest, obj: Ladder, form: Any, change: bool) -> None:
        ladders.save_ladder(obj, actor=staff(request), changed=form.changed_data)

    @display(description=_("rules"))
    def rules_title(self, ladder: Ladder) -> str:
        return f"{gettext(ladder.rules.title)} (v{ladder.rule_set_version})"

    @display(description=_("match lengths"))
    def lengths(self, ladder: Ladder) -> str:
        return ", ".join(map(str, ladder.match_lengths))
