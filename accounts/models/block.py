"""Blocks: a player does not want to play against another."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    """``account`` does not want to play against ``blocked``. The two are never paired."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocks", verbose_name=_("player"), db_index=False
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="blocked_by", verbose_name=_("blocked")
    )
    created_at = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["account", "blocked"], name="one_block_per_pair"),
            models.CheckConstraint(condition=~Q(account=F("blocked")), name="no_block_of_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.account} × {self.blocked}"
