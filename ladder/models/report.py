"""Reports of the players."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.match import ENDINGS, Match


class MatchReport(models.Model):
    """A player's report of the winner. A player who claimed the win can later report the loss, in a second row."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="reports", verbose_name=_("match"))
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("reporter"), db_index=False
    )
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("winner"), db_index=False
    )
    loser_score = models.PositiveSmallIntegerField(_("loser's score"), null=True, blank=True)
    ending = models.CharField(_("ending"), max_length=12, choices=ENDINGS)
    created_at = models.DateTimeField(_("reported"))

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "reporter", "winner"], name="one_report_per_match_reporter_and_winner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reporter}: {self.winner}"
