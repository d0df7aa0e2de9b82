"""Tickets: players who wait for a ranked match."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7
from ladder.models import Ladder


class Ticket(models.Model):
    """A player's request for a ranked match on a ladder, of one of several lengths.

    ``waiting_since``: the start of the wait, for pairing. It does not change when an offer fails without a fault of the
    player. ``queued_at``: when the ticket last entered the queue. ``seen_at``: the last heartbeat by request; an open
    event stream also counts (``events.Presence``).
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        OFFERED = "offered", _("offered a match")
        MATCHED = "matched", _("led to a match")
        CANCELLED = "cancelled", _("cancelled by the player")
        DECLINED = "declined", _("closed: the player declined an offer")
        UNANSWERED = "unanswered", _("closed: the player left an offer unanswered")
        STOPPED = "stopped", _("closed: the player cannot start a match")
        SILENT = "silent", _("closed: no heartbeat")

    LIVE = (State.WAITING, State.OFFERED)

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tickets", verbose_name=_("player")
    )
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="tickets", verbose_name=_("ladder"), db_index=False)
    match_lengths = ArrayField(
        models.PositiveSmallIntegerField(), verbose_name=_("match lengths"), help_text=_("in points")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    waiting_since = models.DateTimeField(_("waiting since"))
    queued_at = models.DateTimeField(_("in the queue since"))
    seen_at = models.DateTimeField(_("last heartbeat"))
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        constraints = [
            models.UniqueConstraint(
                fields=["account"], name="one_live_ticket_per_account", condition=Q(state__in=["waiting", "offered"])
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "offered"], closed_at__isnull=True)
                | Q(
                    state__in=["matched", "cancelled", "declined", "unanswered", "silent", "stopped"],
                    closed_at__isnull=False,
                ),
                name="a_closed_ticket_has_a_time",
            ),
            models.CheckConstraint(condition=Q(match_lengths__len__gte=1), name="a_ticket_takes_some_length"),
        ]
        indexes = [
            models.Index(fields=["ladder", "waiting_since"], name="queue", condition=Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.get_state_display()}"

    @property
    def is_live(self) -> bool:
        return self.state in self.LIVE


TicketState = StrEnum("TicketState", dict(zip(Ticket.State.names, Ticket.State.values, strict=True)))  # type: ignore[misc]
