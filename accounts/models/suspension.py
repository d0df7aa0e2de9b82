"""Suspensions: accounts that cannot start a match."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import BigIntegerRangeField, DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.liftable import Liftable, lift_constraint


class NumberRange(models.Func):
    """A number as a range that contains only it, because a GiST index can compare ranges but not numbers."""

    function = "int8range"
    template = "%(function)s(%(expressions)s, %(expressions)s, '[]')"
    output_field = BigIntegerRangeField()


class TimeRange(models.Func):
    """From one time to another; the second one empty: without end."""

    function = "tstzrange"
    output_field = DateTimeRangeField()


class Suspension(Liftable):
    """The account cannot start a match until ``until`` (empty: never again). Matches under way go on.

    A suspension ends at its time, or a moderator lifts it. It is never deleted. Only one of an account is in force at
    a time, so there is one reason and one end to show.
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
            lift_constraint("lifted_suspension_has_actor_and_reason"),
            ExclusionConstraint(
                name="one_suspension_at_a_time",
                expressions=[
                    (NumberRange("account"), RangeOperators.OVERLAPS),
                    (TimeRange("created_at", "until"), RangeOperators.OVERLAPS),
                ],
                condition=Q(lifted_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {'∞' if self.until is None else f'{self.until:%Y-%m-%d %H:%M} UTC'}"
