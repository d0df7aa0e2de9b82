"""Offers: two tickets that were paired, why, and the outcome."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ladder.models import Match
from matchmaking.models.ticket import Ticket
from matchmaking.pairing.types import Relaxed


class Offer(models.Model):
    """A match that the queue has offered. The match itself has the acceptances and the deadline."""

    class Outcome(models.TextChoices):
        OPEN = "open", _("open")
        STARTED = "started", _("both accepted")
        DECLINED = "declined", _("declined")
        EXPIRED = "expired", _("expired")
        CALLED_OFF = "called_off", _("called off")

    match = models.OneToOneField(Match, models.PROTECT, primary_key=True, related_name="offer", verbose_name=_("match"))
    win_probability = models.FloatField(_("win probability"), help_text=_("of player one, 0 to 1"))
    relaxed = ArrayField(
        models.CharField(choices=[(rule.value, rule.value) for rule in Relaxed], max_length=16),
        verbose_name=_("relaxed"),
        default=list,
        help_text=_("rules that were relaxed because a player waited long or is new"),
    )
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices, default=Outcome.OPEN)
    created_at = models.DateTimeField(_("offered"), default=timezone.now, db_index=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [
            models.CheckConstraint(
                condition=Q(outcome="open", closed_at__isnull=True)
                | Q(outcome__in=["started", "declined", "expired", "called_off"], closed_at__isnull=False),
                name="a_closed_offer_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(win_probability__gt=0, win_probability__lt=1), name="win_probability_is_above_0_and_below_1"
            ),
        ]
        indexes = [models.Index(fields=["match"], name="open_offers", condition=Q(outcome="open"))]

    def __str__(self) -> str:
        return str(self.match)


class OfferSide(models.Model):
    """One player's side of an offer: the ticket, how long it had waited, and which win probabilities it allowed.

    An offer is delivered when the player has accepted it, when a client of the player has received the event with
    ``event_number``, or when an answer of the API has shown it (``shown_at``). ``delivered`` is set at the end.
    """

    offer = models.ForeignKey(Offer, models.PROTECT, related_name="sides", verbose_name=_("offer"), db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="offer_sides", verbose_name=_("ticket"))
    is_open = models.BooleanField(_("open"), default=True)
    waited = models.FloatField(_("waited"), help_text=_("in seconds"))
    window = models.PositiveSmallIntegerField(_("window"), help_text=_("percentage points from 50 %"))
    event_number = models.PositiveIntegerField(_("event"))
    shown_at = models.DateTimeField(_("shown"), null=True, blank=True)
    delivered = models.BooleanField(_("delivered"), null=True)

    class Meta:
        verbose_name = _("side of an offer")
        verbose_name_plural = _("sides of offers")
        constraints = [
            models.UniqueConstraint(fields=["offer", "seat"], name="one_side_per_seat"),
            models.CheckConstraint(condition=Q(seat__in=[1, 2]), name="seat_is_one_or_two"),
            models.UniqueConstraint(fields=["ticket"], name="one_open_offer_per_ticket", condition=Q(is_open=True)),
        ]

    def __str__(self) -> str:
        return f"{self.offer_id} {self.seat}"
