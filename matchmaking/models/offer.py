"""Offers: why the system brought two tickets together, and what became of it."""

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
    """A match that matchmaking offered. Whether it was accepted, by whom and until when it can be, the match says."""

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
        help_text=_("what the pair owes to waiting or to being new"),
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
    """One player's side of an offer: his ticket, how long it had waited, and how uneven a match it would have taken.

    The offer has reached the player when he accepted it, when event ``event_number`` was delivered to one of his
    clients, or when ``/me`` or his ticket showed it to him (``shown_at``). ``reached`` is decided when the offer ends.
    """

    offer = models.ForeignKey(Offer, models.PROTECT, related_name="sides", verbose_name=_("offer"), db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="offer_sides", verbose_name=_("ticket"))
    is_open = models.BooleanField(_("open"), default=True)
    waited = models.FloatField(_("waited"), help_text=_("in seconds"))
    window = models.PositiveSmallIntegerField(_("window"), help_text=_("percentage points from 50 %"))
    event_number = models.PositiveIntegerField(_("event"))
    shown_at = models.DateTimeField(_("shown"), null=True, blank=True)
    reached = models.BooleanField(_("reached the player"), null=True)

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
