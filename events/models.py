"""Events that are delivered to accounts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """Something that happened to one account. It is written in the same transaction, and deleted when it is old.

    ``number`` counts the account's events: 1, 2, 3 ... in the order of their commits. A client that has received
    number n has received all events before it. ``data`` contains account ids instead of names (``events.points.Kind``).
    ``unique_key`` prevents a second event with the same key for the same account.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="events", verbose_name=_("account"), db_index=False
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=40)
    data = models.JSONField(_("data"), default=dict)
    unique_key = models.CharField(_("unique key"), max_length=64, null=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(fields=["account", "number"], name="one_event_per_account_and_number"),
            models.UniqueConstraint(
                fields=["account", "unique_key"],
                name="one_event_per_account_and_key",
                condition=models.Q(unique_key__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.kind}"


class EventStream(models.Model):
    """The counters of an account's events: the number of the last one, and of the last one delivered to a client.

    A transaction that writes an event locks this row until it commits. So the numbers have no gaps, they are in the
    order of the commits, and a reader that asks for all events after number n misses none.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="event_stream",
        verbose_name=_("account"),
    )  # fmt: skip
    last_number = models.PositiveIntegerField(_("last event"), default=0)
    delivered_number = models.PositiveIntegerField(_("last event delivered"), default=0)

    class Meta:
        verbose_name = _("event stream")
        verbose_name_plural = _("event streams")

    def __str__(self) -> str:
        return f"{self.account}: {self.last_number}"


class Presence(models.Model):
    """When an account last had an open event stream, or asked for its events."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="presence",
        verbose_name=_("account"),
    )  # fmt: skip
    seen_at = models.DateTimeField(_("seen"))

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")

    def __str__(self) -> str:
        return f"{self.account}: {self.seen_at}"
