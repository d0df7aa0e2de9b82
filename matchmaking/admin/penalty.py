"""Penalties. Moderators can lift one, with a reason; none can be changed or deleted."""

from __future__ import annotations

from uuid import UUID

from django.contrib import admin
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter

from accounts.admin.lifting import InForceFilter, LiftableAdmin, LiftTexts
from matchmaking.models import Penalty
from matchmaking.services import penalties


@admin.register(Penalty)
class PenaltyAdmin(LiftableAdmin):
    list_display = ("account", "fault", "state", "created_at", "until", "lifted_by")
    list_select_related = ("account", "lifted_by")
    list_filter = (InForceFilter, ("fault", ChoicesDropdownFilter))
    search_help_text = _("Start of a player's username, or a match id")
    fields = (("account", "state"), ("match", "fault"), ("created_at", "until"), ("lifted_at", "lifted_by"),
              "lifted_reason")  # fmt: skip
    service = penalties
    permission = "matchmaking.lift_penalty"
    texts = LiftTexts(
        link=_("Lift this penalty"),
        title=_("Lift a penalty"),
        effect=_("The player can join the queue again, and later penalties are not longer because of this one."),
        button=_("Lift the penalty"),
        done=_("The penalty is lifted."),
    )

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(match=uuid) if uuid else Q(account__in=players)

    def description(self, penalty: Penalty) -> str:
        return penalty.get_fault_display()

    def ended_text(self, penalty: Penalty) -> str | Promise:
        return _("a warning") if penalty.until == penalty.created_at else super().ended_text(penalty)
