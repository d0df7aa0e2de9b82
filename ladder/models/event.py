"""Events: what an account should hear about."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """Something that happened to one account, written in the transaction it speaks of and kept until it is old.

    ``once`` is a key under which an account hears of a thing only once, however often the writer runs.
    """

    class Kind(models.TextChoices):
        DECAY_AHEAD = "decay_ahead", _("decay is ahead")

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="events", verbose_name=_("account"), db_index=False
    )
    kind = models.CharField(_("kind"), max_length=24, choices=Kind.choices)
    data = models.JSONField(_("data"), default=dict)
    once = models.CharField(_("only once under"), max_length=64, null=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(
                fields=["account", "once"], name="an_account_hears_of_it_once", condition=models.Q(once__isnull=False)
            ),
        ]
        indexes = [models.Index(fields=["account", "id"], name="event_stream")]

    def __str__(self) -> str:
        return f"{self.account}: {self.kind}"
