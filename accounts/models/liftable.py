"""Restrictions of a player that end at a time, or when a moderator lifts them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Liftable(models.Model):
    """Ends at ``until`` (``None``: never), or when it is lifted. Then the row says by whom and why."""

    if TYPE_CHECKING:
        until: datetime | None

    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("lifted by"), db_index=False,
    )  # fmt: skip
    lifted_reason = models.TextField(_("lifted because"), blank=True, default="")

    class Meta:
        abstract = True

    def is_in_force(self, moment: datetime) -> bool:
        """Whether it applies at this moment."""
        return self.lifted_at is None and (self.until is None or moment < self.until)

    @staticmethod
    def in_force(moment: datetime) -> Q:
        """:meth:`is_in_force` as a condition for queries."""
        return Q(lifted_at__isnull=True) & (Q(until__isnull=True) | Q(until__gt=moment))


def lift_constraint(name: str) -> models.CheckConstraint:
    """The constraint, with this name, that a row has an actor and a reason if it is lifted, and only then."""
    return models.CheckConstraint(
        condition=Q(lifted_at__isnull=True, lifted_by__isnull=True, lifted_reason="")
        | (Q(lifted_at__isnull=False, lifted_by__isnull=False) & ~Q(lifted_reason="")),
        name=name,
    )
