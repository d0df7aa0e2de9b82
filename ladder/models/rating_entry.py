"""The rating ledger."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from common.append_only import append_only
from ladder.models.match import Match
from ladder.models.standing import Standing
from ladder.rules.ranked import RANKED_ORIGINS
from ladder.rules.systems.system import Change

RANKED_LIST = ", ".join(f"'{origin}'" for origin in sorted(RANKED_ORIGINS))


class RatingEntry(models.Model):
    """One change of one standing. Entries cannot be changed or deleted; a wrong one is reversed by another entry.

    A settlement keeps the inputs of the formula in ``basis``, under the names of its rating system, so that it can be
    recomputed from the entry and its match. A decay entry has the day of the last ranked match (``idle_since``). An
    adjustment is a correction by an operator. An import is a rating from elsewhere, and always the first entry.
    ``reverses`` is the entry that a reversal reverses. ``follows`` is the reversal before a new settlement of the same
    match; without one, a match is settled only once.
    """

    class Kind(models.TextChoices):
        SETTLEMENT = "settlement", _("settlement")
        DECAY = "decay", _("decay")
        REVERSAL = "reversal", _("reversal")
        ADJUSTMENT = "adjustment", _("adjustment")
        IMPORT = "import", _("import")

    standing = models.ForeignKey(
        Standing, models.PROTECT, related_name="entries", verbose_name=_("standing"), db_index=False
    )
    sequence = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, related_name="entries", verbose_name=_("match"), db_index=False
    )
    day = models.DateField(_("day"), null=True)
    idle_since = models.DateField(_("idle since"), null=True)
    before = models.DecimalField(_("before"), max_digits=9, decimal_places=2)
    delta = models.DecimalField(_("change"), max_digits=9, decimal_places=2)
    after = models.DecimalField(_("after"), max_digits=9, decimal_places=2)
    experience_before = models.PositiveIntegerField(_("experience before"))
    experience_after = models.PositiveIntegerField(_("experience after"))
    won = models.BooleanField(_("won"), null=True)
    basis = models.JSONField(_("basis"), default=dict)
    rule_set = models.CharField(_("rule set"), max_length=40)
    rule_set_version = models.PositiveSmallIntegerField(_("rule set version"))
    reverses = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="reversals", verbose_name=_("reverses"), db_index=False
    )
    follows = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="followers", verbose_name=_("new settlement after"),
        db_index=False,
    )  # fmt: skip
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("written by"),
        db_index=False,
    )
    reason = models.TextField(_("reason"), blank=True, default="")
    created_at = models.DateTimeField(_("written"), default=timezone.now)

    class Meta:
        verbose_name = _("rating entry")
        verbose_name_plural = _("rating entries")
        constraints = [
            models.CheckConstraint(condition=Q(after=F("before") + F("delta")), name="after_is_before_plus_delta"),
            models.UniqueConstraint(fields=["standing", "sequence"], name="sequence_unique_in_standing"),
            models.UniqueConstraint(
                fields=["match", "standing"],
                name="one_settlement_per_match_and_standing",
                condition=Q(kind="settlement", follows__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["standing", "day"], name="one_decay_per_standing_and_day", condition=Q(kind="decay")
            ),
            models.UniqueConstraint(
                fields=["reverses"], name="one_reversal_per_entry", condition=Q(reverses__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["follows"], name="one_settlement_per_reversal", condition=Q(follows__isnull=False)
            ),
            models.CheckConstraint(
                condition=~Q(kind="import") | Q(sequence=1), name="an_import_comes_before_everything_else"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind="settlement",
                    match__isnull=False,
                    won__isnull=False,
                    basis__has_key="opponent_rating",
                    experience_after__gt=F("experience_before"),
                    reverses__isnull=True,
                    day__isnull=True,
                    idle_since__isnull=True,
                )
                | Q(
                    kind="decay",
                    day__isnull=False,
                    idle_since__isnull=False,
                    idle_since__lt=F("day"),
                    match__isnull=True,
                    delta__lt=0,
                    experience_after=F("experience_before"),
                    reverses__isnull=True,
                    follows__isnull=True,
                )
                | (
                    Q(kind="reversal", reverses__isnull=False, follows__isnull=True, idle_since__isnull=True)
                    & ~Q(reason="")
                )
                | (
                    Q(
                        kind__in=["adjustment", "import"],
                        match__isnull=True,
                        day__isnull=True,
                        idle_since__isnull=True,
                        reverses__isnull=True,
                        follows__isnull=True,
                        won__isnull=True,
                    )
                    & ~Q(reason="")
                ),
                name="entry_is_whole_for_its_kind",
            ),
        ]
        indexes = [
            models.Index(fields=["match"], name="entry_match", condition=Q(match__isnull=False)),
        ]
        triggers = [
            *append_only(),
            # AFTER, because one statement confirms the match and writes its entries.
            pgtrigger.Trigger(
                name="only_ranked_matches_move_ratings",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__kind="settlement"),
                func=pgtrigger.Func(
                    f"""
                    IF NOT EXISTS (
                        SELECT 1 FROM ladder_match m JOIN ladder_standing s ON s.id = NEW.standing_id
                        JOIN ladder_ladder l ON l.id = m.ladder_id
                        WHERE m.id = NEW.match_id AND s.ladder_id IN (l.id, l.overall_id) AND m.unrated_reason IS NULL
                          AND s.player_id IN (m.player_one_id, m.player_two_id) AND m.origin IN ({RANKED_LIST})
                          AND m.settled_at IS NOT NULL AND NEW.won = (s.player_id = m.winner_id)
                    ) OR NOT (NEW.follows_id IS NULL OR EXISTS (
                        SELECT 1 FROM ladder_ratingentry r
                        WHERE r.id = NEW.follows_id AND r.kind = 'reversal'
                          AND r.match_id = NEW.match_id AND r.standing_id = NEW.standing_id
                    )) THEN
                        RAISE EXCEPTION 'only a confirmed ranked match changes the ratings of its two players'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'only_ranked_matches_move_ratings';
                    END IF;
                    RETURN NEW;
                    """
                ),
            ),
            pgtrigger.Trigger(
                name="reversal_is_the_exact_opposite",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__kind="reversal"),
                func=pgtrigger.Func(
                    """
                    IF NOT EXISTS (
                        SELECT 1 FROM ladder_ratingentry e
                        WHERE e.id = NEW.reverses_id AND e.standing_id = NEW.standing_id AND e.kind <> 'reversal'
                          AND e.match_id IS NOT DISTINCT FROM NEW.match_id AND e.delta = -NEW.delta
                          AND e.experience_after - e.experience_before = NEW.experience_before - NEW.experience_after
                    ) THEN
                        RAISE EXCEPTION 'a reversal is the exact opposite of one entry of the same standing'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'reversal_is_the_exact_opposite';
                    END IF;
                    RETURN NEW;
                    """
                ),
            ),
            # AFTER, because one statement can write several entries of a standing.
            pgtrigger.Trigger(
                name="the_ledger_has_no_gaps",
                when=pgtrigger.After,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__sequence__gt=1),
                func=pgtrigger.Func(
                    """
                    IF NOT EXISTS (
                        SELECT 1 FROM ladder_ratingentry e
                        WHERE e.standing_id = NEW.standing_id AND e.sequence = NEW.sequence - 1
                          AND e.after = NEW.before AND e.experience_after = NEW.experience_before
                    ) THEN
                        RAISE EXCEPTION 'an entry must start where the previous one ended'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'the_ledger_has_no_gaps';
                    END IF;
                    RETURN NULL;
                    """
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.standing} #{self.sequence}: {self.delta:+}"

    @property
    def change(self) -> Change:
        """The entry as a value of the rules."""
        return Change(
            before=self.before,
            delta=self.delta,
            after=self.after,
            experience_before=self.experience_before,
            experience_after=self.experience_after,
            basis=self.basis,
        )
