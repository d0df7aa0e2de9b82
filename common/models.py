"""Idempotency keys: the stored answers to requests that may arrive twice."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class IdempotencyKey(models.Model):
    """The answer to a request, stored with the caller's key in the transaction of the work."""

    caller = models.CharField(_("caller"), max_length=64, help_text=_("the account or service key"))
    key = models.CharField(_("key"), max_length=255)
    fingerprint = models.BinaryField(_("fingerprint"), help_text=_("hash of method, path and body"))
    status = models.PositiveSmallIntegerField(_("status"))
    body = models.BinaryField(_("body"))
    content_type = models.CharField(_("content type"), max_length=80)
    created_at = models.DateTimeField(_("created"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="one_answer_per_caller_and_key")]

    def __str__(self) -> str:
        return self.key
