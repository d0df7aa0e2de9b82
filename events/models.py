"""Events: what an account should hear about."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """Something that happened to one account, written in the transaction it speaks of and kept until it is old.

    ``number`` counts the account's events: 1, 2, 3 ... in the order in which they were committed, so that whoever has
    seen number n has seen all before it. ``data`` says accounts by their ids (``events.points.Kind``). ``once`` is a
    key under which an account is told of a thing only once, however often the writer runs.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="events", verbose_name=_("account"), db_index=False
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=40)
    data = models.JSONField(_("data"), default=dict)
    once = models.CharField(_("only once under"), max_length=64, null=True)
    created_at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(fields=["account", "number"], name="events_are_numbered"),
            models.UniqueConstraint(
                fields=["account", "once"], name="an_account_hears_of_it_once", condition=models.Q(once__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.kind}"


class EventStream(models.Model):
    """How far an account's events have come: the number of the last one, and of the last one sent to a client.

    Whoever writes an event holds this row until he commits. So numbers have no gaps and no second order, and a reader
    that asks for everything after number n misses nothing.
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
