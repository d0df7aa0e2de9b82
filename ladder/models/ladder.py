"""Ladders."""

from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ladder.limits import MAX_LENGTHS
from ladder.rules import rule_sets
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH

FIXED_FIELDS = ("rule_set", "rule_set_version", "rule_options", "overall_id")
"""The fields of a ladder that cannot change while it has standings."""


def queue_lengths() -> list[int]:
    return list(rule_sets.QUEUE_LENGTHS)


def rule_set_choices() -> list[tuple[str, str | Promise]]:
    return [(name, _(rule_sets.latest(name).title)) for name in rule_sets.NAMES]


def validate_time_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(_("Unknown time zone."), code="unknown_time_zone")


class Ladder(models.Model):
    """A ranking with one version of one rule set. Its days are calendar days in its time zone.

    Each ranked match of a ladder with an ``overall`` ladder also counts on that one, by that ladder's rules.
    """

    slug = models.SlugField(_("slug"), unique=True)
    name = models.CharField(_("name"), max_length=80)
    rule_set = models.CharField(_("rule set"), max_length=40, choices=rule_set_choices, default="fibs-600")
    rule_set_version = models.PositiveSmallIntegerField(_("rule set version"), default=1)
    rule_options = models.JSONField(
        _("options of the rule set"),
        default=dict,
        blank=True,
        help_text=_("Constants that each ladder can choose, such as k and scale of elo."),
    )
    overall = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="members",
        verbose_name=_("overall ladder"),
        help_text=_("Another ladder on which every ranked match of this one also counts."),
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    match_lengths = ArrayField(
        models.PositiveSmallIntegerField(),
        verbose_name=_("match lengths"),
        default=queue_lengths,
        help_text=_("The match lengths of the queue, in points."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(match_lengths__len__range=(1, MAX_LENGTHS)), name="a_queue_offers_1_to_50_lengths"
            ),
            models.CheckConstraint(
                condition=models.Q(overall__isnull=True) | ~models.Q(overall=models.F("id")),
                name="overall_is_another_ladder",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="rules_of_a_ladder_in_use_never_change",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf("rule_set", "rule_set_version", "rule_options", "overall_id"),
                condition=pgtrigger.AnyChange("rule_set", "rule_set_version", "rule_options", "overall"),
                func=pgtrigger.Func(
                    """
                    IF EXISTS (SELECT 1 FROM ladder_standing s WHERE s.ladder_id = OLD.id) THEN
                        RAISE EXCEPTION 'the ladder has standings, and its rules cannot change'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'rules_of_a_ladder_in_use_never_change';
                    END IF;
                    RETURN NEW;
                    """
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> rule_sets.RuleSet:
        return rule_sets.rule_set(self.rule_set, self.rule_set_version, self.rule_options)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def is_in_use(self) -> bool:
        """Whether the ladder has standings. Their ratings depend on its rules, so these cannot change any more."""
        return not self._state.adding and self.standings.exists()

    def clean(self) -> None:
        self._clean_rules()
        self._clean_overall()
        if not self.match_lengths:
            raise ValidationError({"match_lengths": _("A ladder needs at least one match length.")})
        if len(self.match_lengths) > MAX_LENGTHS:
            raise ValidationError(
                {"match_lengths": _("A ladder can have at most %(most)d match lengths.") % {"most": MAX_LENGTHS}}
            )
        if any(not MIN_MATCH_LENGTH <= length <= MAX_MATCH_LENGTH for length in self.match_lengths):
            raise ValidationError({"match_lengths": _("Match lengths are 1 to 99 points.")})

    def _clean_rules(self) -> None:
        if self.is_in_use:
            saved = Ladder.objects.get(pk=self.pk)
            if any(getattr(self, name) != getattr(saved, name) for name in FIXED_FIELDS):
                raise ValidationError(
                    {"rule_set": _("The rules of a ladder with standings cannot change. Create a new ladder.")}
                )
        if (self.rule_set, self.rule_set_version) not in rule_sets.RULE_SETS:
            raise ValidationError({"rule_set_version": _("This rule set has no such version.")})
        try:
            _rules = self.rules
        except (ValueError, TypeError, AttributeError) as error:
            raise ValidationError({"rule_options": str(error)}) from error

    def _clean_overall(self) -> None:
        if self.overall is None:
            return
        if self.overall_id == self.pk or self.overall.overall_id is not None or self.is_overall:
            raise ValidationError(
                {"overall": _("An overall ladder must be another ladder, and must not have an overall ladder itself.")}
            )

    @property
    def is_overall(self) -> bool:
        """Whether this is the overall ladder of others."""
        return not self._state.adding and self.members.exists()
