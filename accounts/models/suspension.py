"""Suspensions: accounts that may not start a match for a while."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import BigIntegerRangeField, DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.liftable import Liftable, lifted_by_whom_and_why


class Only(models.Func):
    """A whole number as a range: a GiST index compares ranges, and knows numbers only by an extension."""

    function = "int8range"
    template = "%(function)s(%(expressions)s, %(expressions)s, '[]')"
    output_field = BigIntegerRangeField()


class Time(models.Func):
    """From one time up to another one; empty: without end."""

    function = "tstzrange"
    output_field = DateTimeRangeField()


class Suspension(Liftable):
    """A moderator's word that an account starts no match until ``until`` (never again, where that is empty).

    Matches under way go on. A suspension ends by its time or is lifted; neither is ever deleted. One at a time is in
    force, so that there is one answer to why somebody may not play, and until when.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="suspensions", verbose_name=_("account"),
    )  # fmt: skip
    reason = models.TextField(_("reason"), help_text=_("the player reads this"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("suspended by"), db_index=False
    )
    created_at = models.DateTimeField(_("since"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("empty: for good"))

    class Meta:
        verbose_name = _("suspension")
        verbose_name_plural = _("suspensions")
        permissions = [("suspend_account", _("Can suspend accounts and lift suspensions"))]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("created_at")), name="suspension_ends_after_it_began"
            ),
            lifted_by_whom_and_why("lifted_means_by_whom_and_why"),
            ExclusionConstraint(
                name="one_suspension_at_a_time",
                expressions=[
                    (Only("account"), RangeOperators.OVERLAPS),
                    (Time("created_at", "until"), RangeOperators.OVERLAPS),
                ],
                condition=Q(lifted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {'∞' if self.until is None else f'{self.until:%Y-%m-%d %H:%M} UTC'}"
