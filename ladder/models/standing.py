"""Standings: the rating and record of a player on a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ladder.models.ladder import Ladder

if TYPE_CHECKING:
    from ladder.rules.tiers import Tier


class Standing(models.Model):
    """The rating and record of one player on one ladder, computed from the ledger. Only services write it.

    ``last_sequence`` is the number of the newest ledger entry. ``streak`` is positive for wins, negative for losses.
    ``decayed_through`` is the newest day of decay, even if that was reversed. ``memory`` is what the rating system
    keeps of the player after the last settlement that is not reversed. ``peak_rating`` is the highest rating after an
    entry that is neither decay nor reversed.
    """

    ladder = models.ForeignKey(
        Ladder, models.PROTECT, related_name="standings", verbose_name=_("ladder"), db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="standings", verbose_name=_("player")
    )
    rating = models.DecimalField(_("rating"), max_digits=9, decimal_places=2)
    experience = models.PositiveIntegerField(_("experience"), default=0, help_text=_("match points played"))
    peak_rating = models.DecimalField(_("peak rating"), max_digits=9, decimal_places=2)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    losses = models.PositiveIntegerField(_("losses"), default=0)
    streak = models.IntegerField(_("streak"), default=0)
    memory = models.JSONField(_("data of the rating system"), default=dict)
    last_sequence = models.PositiveIntegerField(_("ledger entries"), default=0)
    last_ranked_at = models.DateTimeField(_("last ranked match"), null=True)
    decayed_through = models.DateField(_("last decayed day"), null=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [
            models.UniqueConstraint(fields=["ladder", "player"], name="one_standing_per_ladder_and_player"),
            models.CheckConstraint(condition=Q(peak_rating__gte=F("rating")), name="peak_is_the_highest_rating"),
            models.CheckConstraint(
                condition=Q(last_ranked_at__isnull=True, wins=0, losses=0)
                | Q(last_ranked_at__isnull=False, wins__gte=0, losses__gte=0),
                name="played_means_a_last_ranked_match",
            ),
        ]
        indexes = [
            # The leaderboard: the best first, ties by id. The included columns are for decay: on a day when no standing
            # decays, only this index is read.
            models.Index(
                fields=["ladder", "-rating", "id"],
                include=["last_ranked_at", "decayed_through"],
                name="standing_board_and_decay",
                condition=Q(last_ranked_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.ladder}"

    @property
    def tier(self) -> Tier | None:
        from ladder.rules.tiers import tier_of

        return tier_of(self.ladder.rules.tiers, self.rating)
