"""Service keys of trusted game servers."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7


class Scope(models.TextChoices):
    """What a service key may do."""

    RESULTS = "results", _("report results of matches")


class ServiceKey(models.Model):
    """A key of a game server. Only its hash is stored; the key itself is shown once, when it is issued."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(_("name"), max_length=80, help_text=_("which server uses it"))
    digest = models.BinaryField(_("hash"), unique=True, editable=False)
    hint = models.CharField(_("starts with"), max_length=12, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope.choices), verbose_name=_("scopes"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("issued"), default=timezone.now, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("issued by"),
        editable=False, db_index=False,
    )  # fmt: skip

    class Meta:
        verbose_name = _("service key")
        verbose_name_plural = _("service keys")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def caller_name(self) -> str:
        """The name of the key as a caller."""
        return f"service:{self.pk}"

    @property
    def throttle_scope(self) -> Literal["service"]:
        """The throttle scope of its requests."""
        return "service"
