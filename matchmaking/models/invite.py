"""Invites to an unrated match, for a player who has the token."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7
from ladder.models import Ladder, Match
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH


class Invite(models.Model):
    """An invite that can be used once. Its token is shown once, and only the hash is stored."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="invites", verbose_name=_("player")
    )
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="+", verbose_name=_("ladder"), db_index=False)
    match_length = models.PositiveSmallIntegerField(_("match length"), help_text=_("in points"))
    token_hash = models.BinaryField(_("hash of the token"), max_length=32, unique=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="invite", verbose_name=_("match")
    )

    class Meta:
        verbose_name = _("invite")
        verbose_name_plural = _("invites")
        constraints = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, match__isnull=True)
                | Q(used_at__isnull=False, match__isnull=False, withdrawn_at__isnull=True),
                name="a_used_invite_has_a_match",
            ),
            models.CheckConstraint(
                condition=Q(match_length__range=(MIN_MATCH_LENGTH, MAX_MATCH_LENGTH)),
                name="one_to_99_points",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="an_invite_is_used_once",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("match_id"),
                condition=pgtrigger.Condition(
                    "OLD.match_id IS NOT NULL AND NEW.match_id IS DISTINCT FROM OLD.match_id"
                ),
                func=pgtrigger.Func(
                    """
                    RAISE EXCEPTION 'the invite has been used'
                        USING ERRCODE = 'check_violation', CONSTRAINT = 'an_invite_is_used_once';
                    """
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account} ({self.match_length})"
