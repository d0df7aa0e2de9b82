"""Matches."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.ids import uuid7
from ladder.models.ladder import Ladder
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import LIVE, ConfirmedBy, Ending, Seat, State
from ladder.rules.ranked import RANKED_ORIGINS, Origin, Unrated

STATES = [
    (State.OFFERED, _("offered")),
    (State.IN_PROGRESS, _("in progress")),
    (State.AWAITING_CONFIRMATION, _("awaiting confirmation")),
    (State.CONFIRMED, _("confirmed")),
    (State.DISPUTED, _("disputed")),
    (State.VOIDED, _("voided")),
    (State.CANCELLED, _("cancelled")),
]
ORIGINS = [
    (Origin.MATCHMAKING, _("matchmaking")),
    (Origin.TOURNAMENT, _("tournament")),
    (Origin.IMPORT, _("import")),
    (Origin.CHALLENGE, _("challenge")),
    (Origin.INVITE, _("invite")),
    (Origin.REMATCH, _("rematch")),
]
ENDINGS = [
    (Ending.PLAYED, _("played")),
    (Ending.RESIGNED, _("resigned")),
    (Ending.TIMED_OUT, _("timed out")),
    (Ending.ABANDONED, _("abandoned")),
]
CONFIRMED_BY = [
    (ConfirmedBy.OPPONENT, _("the opponent")),
    (ConfirmedBy.SERVER, _("the game server")),
    (ConfirmedBy.DEADLINE, _("the deadline")),
    (ConfirmedBy.MODERATOR, _("a moderator")),
    (ConfirmedBy.IMPORT, _("the import")),
]
LIVE_STATES = sorted(state.value for state in LIVE)
FINISHED = [State.CONFIRMED, State.VOIDED, State.CANCELLED]


class Match(models.Model):
    """A match between two players, from the offer to its end.

    ``one_reported_winner`` and ``two_reported_winner`` are the seat (1 or 2) that each player last reported as winner.
    They are here and not only in the reports because every event locks this row: so no transaction can miss a report
    that another one is writing.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="matches", verbose_name=_("ladder"), db_index=False)
    origin = models.CharField(_("origin"), max_length=12, choices=ORIGINS)
    match_length = models.PositiveSmallIntegerField(_("match length"), help_text=_("in points"))
    player_one = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="matches_as_one", verbose_name=_("player one"),
        db_index=False,
    )  # fmt: skip
    player_two = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="matches_as_two", verbose_name=_("player two"),
        db_index=False,
    )  # fmt: skip
    state = models.CharField(_("state"), max_length=21, choices=STATES, default=State.OFFERED)

    one_accepted_at = models.DateTimeField(_("player one accepted"), null=True, blank=True)
    two_accepted_at = models.DateTimeField(_("player two accepted"), null=True, blank=True)
    one_reported_winner = models.PositiveSmallIntegerField(_("winner reported by player one"), null=True, blank=True)
    two_reported_winner = models.PositiveSmallIntegerField(_("winner reported by player two"), null=True, blank=True)

    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("winner"),
        db_index=False,
    )  # fmt: skip
    loser_score = models.PositiveSmallIntegerField(_("loser's score"), null=True, blank=True)
    ending = models.CharField(_("ending"), max_length=12, choices=ENDINGS, null=True, blank=True)
    confirmed_by = models.CharField(_("confirmed by"), max_length=10, choices=CONFIRMED_BY, null=True, blank=True)
    unrated_reason = models.CharField(_("unrated because"), max_length=16, null=True, blank=True)
    void_reason = models.CharField(_("voided or cancelled because"), max_length=32, null=True, blank=True)
    one_statement = models.TextField(_("dispute text of player one"), blank=True, default="")
    two_statement = models.TextField(_("dispute text of player two"), blank=True, default="")
    ruling = models.ForeignKey(
        "ladder.Ruling", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("ruling in force"),
        db_index=False,
    )  # fmt: skip

    created_at = models.DateTimeField(_("offered"), default=timezone.now)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    confirm_by = models.DateTimeField(_("deadline to confirm"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    external_id = models.CharField(_("id in the imported file"), max_length=64, null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("rule_match", _("Can rule, void and correct matches"))]
        constraints = [
            models.CheckConstraint(condition=~Q(player_one=F("player_two")), name="two_players"),
            models.CheckConstraint(
                condition=Q(match_length__range=(MIN_MATCH_LENGTH, MAX_MATCH_LENGTH)), name="match_length_1_to_99"
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=F("player_one")) | Q(winner=F("player_two")),
                name="winner_is_a_player",
            ),
            models.CheckConstraint(
                condition=Q(loser_score__isnull=True) | Q(loser_score__lt=F("match_length")),
                name="loser_score_below_match_length",
            ),
            models.CheckConstraint(
                condition=Q(state=State.CONFIRMED, winner__isnull=False, confirmed_by__isnull=False)
                | (~Q(state=State.CONFIRMED) & Q(winner__isnull=True, confirmed_by__isnull=True)),
                name="confirmed_means_a_winner",
            ),
            models.CheckConstraint(
                condition=Q(state__in=FINISHED, finished_at__isnull=False)
                | (~Q(state__in=FINISHED) & Q(finished_at__isnull=True)),
                name="finished_means_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=[State.VOIDED, State.CANCELLED], void_reason__isnull=False)
                | (~Q(state__in=[State.VOIDED, State.CANCELLED]) & Q(void_reason__isnull=True)),
                name="voided_means_a_reason",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.AWAITING_CONFIRMATION) | Q(confirm_by__isnull=False),
                name="awaiting_means_a_deadline",
            ),
            models.CheckConstraint(condition=Q(state__in=sorted(State)), name="known_state"),
            models.CheckConstraint(condition=Q(origin__in=sorted(Origin)), name="known_origin"),
            models.CheckConstraint(
                condition=Q(ending__isnull=True) | Q(ending__in=sorted(Ending)), name="known_ending"
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True) | Q(confirmed_by__in=sorted(ConfirmedBy)),
                name="known_confirmed_by",
            ),
            # Only ranked matches change ratings.
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True)
                | Q(state=State.CONFIRMED, unrated_reason__isnull=True, origin__in=sorted(RANKED_ORIGINS)),
                name="only_ranked_matches_settle",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.CONFIRMED) | Q(settled_at__isnull=False) | Q(unrated_reason__isnull=False),
                name="confirmed_is_settled_or_says_why_not",
            ),
            models.CheckConstraint(
                condition=Q(origin__in=sorted(RANKED_ORIGINS))
                | Q(unrated_reason__isnull=False, unrated_reason=F("origin")),
                name="arranged_play_is_unrated",
            ),
            models.CheckConstraint(
                condition=Q(unrated_reason__isnull=True) | Q(unrated_reason__in=sorted(Unrated)),
                name="known_unrated_reason",
            ),
            models.CheckConstraint(
                condition=(Q(one_reported_winner__isnull=True) | Q(one_reported_winner__in=[1, 2]))
                & (Q(two_reported_winner__isnull=True) | Q(two_reported_winner__in=[1, 2])),
                name="says_a_seat",
            ),
            models.UniqueConstraint(
                fields=["ladder", "external_id"], name="one_match_per_imported_id", condition=Q(origin=Origin.IMPORT)
            ),
        ]
        indexes = [
            # The matches of a player, the newest first: ids increase with time.
            models.Index(fields=["player_one", "id"], name="match_history_one"),
            models.Index(fields=["player_two", "id"], name="match_history_two"),
            # Which players in the queue have a live match: checked every few seconds.
            models.Index(fields=["player_one"], name="match_live_one", condition=Q(state__in=LIVE_STATES)),
            models.Index(fields=["player_two"], name="match_live_two", condition=Q(state__in=LIVE_STATES)),
            models.Index(fields=["ladder", "settled_at"], name="match_settled", condition=Q(settled_at__isnull=False)),
            models.Index(fields=["expires_at"], name="match_expiry", condition=Q(state__in=["offered", "in_progress"])),
            models.Index(fields=["confirm_by"], name="match_deadline", condition=Q(state="awaiting_confirmation")),
            models.Index(fields=["created_at"], name="match_disputed", condition=Q(state="disputed")),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="pairing_never_changes",
                fields=["ladder", "origin", "match_length", "player_one", "player_two", "external_id"],
            ),
            pgtrigger.Trigger(
                name="unrated_stays_unrated",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("unrated_reason"),
                condition=pgtrigger.Q(old__unrated_reason__isnull=False, new__unrated_reason__isnull=True),
                func=pgtrigger.Func(
                    """
                    RAISE EXCEPTION 'an unrated match cannot become rated'
                        USING ERRCODE = 'check_violation', CONSTRAINT = 'unrated_stays_unrated';
                    """
                ),
            ),
            pgtrigger.Trigger(
                name="what_moved_ratings_stays_rated",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("unrated_reason"),
                condition=pgtrigger.AnyChange("unrated_reason"),
                func=pgtrigger.Func(
                    """
                    IF EXISTS (SELECT 1 FROM ladder_ratingentry e WHERE e.match_id = OLD.id) THEN
                        RAISE EXCEPTION 'the ledger has entries of this match'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'what_moved_ratings_stays_rated';
                    END IF;
                    RETURN NEW;
                    """
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_one} - {self.player_two} ({self.match_length})"

    @property
    def is_rated(self) -> bool:
        """Whether the match changes ratings when it is confirmed."""
        return self.unrated_reason is None

    def seat_of(self, player_id: int) -> Seat | None:
        """1 or 2; ``None`` if the player is not in the match."""
        if player_id == self.player_one_id:
            return 1
        return 2 if player_id == self.player_two_id else None
