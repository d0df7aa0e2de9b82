"""The days of decay that were run, and the pauses of decay."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from ladder.models.ladder import Ladder


class DecayRun(models.Model):
    """One day of decay on one ladder. Its counts are saved in the transactions that change the standings."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        COMPLETED = "completed", _("completed")
        PAUSED = "paused", _("skipped: decay pause")
        REVERSING = "reversing", _("being reversed")
        REVERSED = "reversed", _("reversed")

    ladder = models.ForeignKey(
        Ladder, models.PROTECT, related_name="decay_runs", verbose_name=_("ladder"), db_index=False
    )
    day = models.DateField(_("day"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.RUNNING)
    standings = models.PositiveIntegerField(_("standings"), default=0)
    points = models.DecimalField(_("points taken"), max_digits=14, decimal_places=2, default=0)
    by_tier = models.JSONField(_("points by tier"), default=dict)
    started_at = models.DateTimeField(_("started"), default=timezone.now)
    finished_at = models.DateTimeField(_("finished"), null=True)
    error = models.TextField(_("last error"), blank=True, default="")
    reversed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("reversed by"),
        db_index=False,
    )  # fmt: skip
    reversal_reason = models.TextField(_("reason of the reversal"), blank=True, default="")

    class Meta:
        verbose_name = _("decay run")
        verbose_name_plural = _("decay runs")
        ordering = ["-day", "ladder"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "day"], name="one_decay_run_per_ladder_and_day"),
            models.CheckConstraint(
                condition=Q(state="running", finished_at__isnull=True)
                | (~Q(state="running") & Q(finished_at__isnull=False)),
                name="decay_run_finished_means_a_time",
            ),
            models.CheckConstraint(
                condition=(Q(state__in=["reversing", "reversed"], reversed_by__isnull=False) & ~Q(reversal_reason=""))
                | Q(state__in=["running", "completed", "paused"], reversed_by__isnull=True, reversal_reason=""),
                name="reversed_decay_run_has_actor_and_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder.slug} · {date_format(self.day)}"

    @property
    def duration(self) -> timedelta | None:
        """The time from its first start to its end, with interruptions; ``None`` while it runs."""
        return None if self.finished_at is None else self.finished_at - self.started_at


class DecayPause(models.Model):
    """Days without decay on a ladder, because its players could not play. ``last_day`` is included.

    ``reversed_at`` is when decay of these days from before the pause was reversed; the nightly job does it if it is
    empty.
    """

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="decay_pauses", verbose_name=_("ladder"))
    first_day = models.DateField(_("from"))
    last_day = models.DateField(_("to"))
    reason = models.TextField(_("reason"), help_text=_("Shown to the players."))
    declared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("declared by"), db_index=False
    )
    declared_at = models.DateTimeField(_("declared"), default=timezone.now)
    reversed_at = models.DateTimeField(_("decay reversed"), null=True)

    class Meta:
        verbose_name = _("decay pause")
        verbose_name_plural = _("decay pauses")
        ordering = ["-first_day"]
        constraints = [
            models.CheckConstraint(condition=Q(first_day__lte=F("last_day")), name="pause_ends_after_it_begins"),
        ]

    def __str__(self) -> str:
        return f"{date_format(self.first_day)} - {date_format(self.last_day)}"
