"""The audit trail."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.append_only import append_only


class AuditEntry(models.Model):
    """An action: who did what, to what, and why. It is written in the transaction of the action, and append-only."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("actor")
    )
    action = models.CharField(_("action"), max_length=40)
    target_type = models.CharField(_("kind of target"), max_length=40, help_text=_("app and model"))
    target_id = models.CharField(_("target"), max_length=64)
    reason = models.TextField(_("reason"), blank=True, default="")
    data = models.JSONField(_("details"), default=dict)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit trail")
        indexes = [models.Index(fields=["target_type", "target_id"], name="audit_target")]
        triggers = append_only()

    def __str__(self) -> str:
        return f"#{self.pk}"
