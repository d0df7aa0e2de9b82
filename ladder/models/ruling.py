"""Rulings of moderators."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.append_only import append_only
from ladder.models.match import ENDINGS, STATES, Match
from ladder.rules.ruling import ReasonCode

REASON_CODES = [
    (ReasonCode.EVIDENCE, _("The evidence shows it")),
    (ReasonCode.ADMITTED, _("A player admitted it")),
    (ReasonCode.WRONG_REPORT, _("A report was wrong")),
    (ReasonCode.NOT_PLAYED, _("The match was not played")),
    (ReasonCode.CHEATING, _("A player cheated")),
    (ReasonCode.TECHNICAL, _("Technical failure")),
    (ReasonCode.OTHER, _("Another reason")),
]


class Ruling(models.Model):
    """A moderator's ruling on a match. Rulings cannot be changed; a later one is a new row with the next number.

    Without a ``winner`` the match is void. The players read ``text``; only the staff reads ``note``. ``state_before``
    and ``winner_before`` are from before the ruling.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="rulings", verbose_name=_("match"), db_index=False)
    number = models.PositiveSmallIntegerField(_("number"))
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("winner"),
        db_index=False,
    )  # fmt: skip
    loser_score = models.PositiveSmallIntegerField(_("loser's score"), null=True)
    ending = models.CharField(_("ending"), max_length=12, choices=ENDINGS, null=True)
    reason_code = models.CharField(_("reason"), max_length=16, choices=REASON_CODES)
    text = models.TextField(_("text for the players"))
    note = models.TextField(_("private note"), blank=True, default="", help_text=_("Only staff can read this."))
    state_before = models.CharField(_("state before"), max_length=21, choices=STATES)
    winner_before = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("winner before"),
        db_index=False,
    )  # fmt: skip
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("ruled by"), db_index=False
    )
    created_at = models.DateTimeField(_("ruled"), default=timezone.now)

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="rulings_are_numbered"),
            models.CheckConstraint(condition=~Q(text=""), name="a_ruling_says_why"),
            models.CheckConstraint(
                condition=Q(winner__isnull=False, ending__isnull=False)
                | Q(winner__isnull=True, loser_score__isnull=True),
                name="a_void_ruling_has_no_score",
            ),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return f"{self.match_id} #{self.number}"
