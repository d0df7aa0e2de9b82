"""Penalties for offers that a player declined or did not answer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.liftable import Liftable, lift_constraint
from ladder.models import Match
from matchmaking.cooldowns import Fault


class Penalty(Liftable):
    """A fault of a player. It makes later penalties within a day longer. A moderator can lift it, with a reason.

    ``until``: when the player can join the queue again. For the first fault, a warning, it equals ``created_at``.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="penalties", verbose_name=_("player"), db_index=False
    )
    match = models.ForeignKey(Match, models.PROTECT, related_name="penalties", verbose_name=_("match"), db_index=False)
    fault = models.CharField(
        _("fault"),
        max_length=10,
        choices=[
            (Fault.DECLINED.value, _("declined an offer")),
            (Fault.UNANSWERED.value, _("left an offer unanswered")),
        ],
    )
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    until = models.DateTimeField(_("out of the queue until"))

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        permissions = [("lift_penalty", _("Can lift penalties of the queue"))]
        constraints = [
            models.UniqueConstraint(fields=["match", "account"], name="one_penalty_per_player_and_match"),
            models.CheckConstraint(condition=Q(until__gte=F("created_at")), name="a_penalty_ends_after_it_began"),
            lift_constraint("lifted_penalty_has_actor_and_reason"),
        ]
        indexes = [models.Index(fields=["account", "created_at"], name="penalties_of_a_player")]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_fault_display()}"
