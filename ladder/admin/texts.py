"""Texts and colours of stored codes."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from ladder.models import DecayRun
from ladder.models.ruling import REASON_CODES
from ladder.rules.match_life import State

STATE_COLOURS = {
    State.OFFERED: "default",
    State.IN_PROGRESS: "info",
    State.AWAITING_CONFIRMATION: "warning",
    State.CONFIRMED: "success",
    State.DISPUTED: "danger",
    State.VOIDED: "default",
    State.CANCELLED: "default",
}

RUN_COLOURS = {
    DecayRun.State.RUNNING: "info",
    DecayRun.State.COMPLETED: "success",
    DecayRun.State.PAUSED: "default",
    DecayRun.State.REVERSING: "warning",
    DecayRun.State.REVERSED: "danger",
}

RULING_REASONS: dict[str, str | Promise] = dict(REASON_CODES)

REASONS: dict[str, str | Promise] = {
    **RULING_REASONS,
    "declined": _("An offer was declined"),
    "offer_expired": _("The offer expired"),
    "called_off": _("The offer was cancelled: the two may not play against each other"),
    "challenge": _("A challenge between players"),
    "invite": _("Created by an invite link"),
    "rematch": _("A rematch between the two"),
    "self_match": _("Both players are the same"),
    "bye": _("A bye"),
    "walkover": _("A walkover"),
    "no_show": _("A player did not show up"),
    "nobody_moved": _("Nobody moved"),
    "server_failed": _("The game server failed"),
    "no_result": _("Nobody reported a result"),
    "voided": _("Voided"),
    "cancelled": _("Cancelled"),
}


def reason_text(code: str | None) -> str:
    return str(REASONS.get(code, code)) if code else ""


TIER_NAMES = (
    gettext_noop("bronze"), gettext_noop("silver"), gettext_noop("gold"), gettext_noop("platinum"),
    gettext_noop("diamond"), gettext_noop("master"),
)  # fmt: skip
RULE_SET_TITLES = (
    gettext_noop("FIBS at double stake, from 600"),
    gettext_noop("Classic FIBS, from 1500"),
    gettext_noop("FIBS without the newcomers' multiplier, from 1800"),
    gettext_noop("Elo with K 32 in whole points, from 1200"),
    gettext_noop("FIDE by its formula, from 1500"),
    gettext_noop("FIDE by its table, from 1500"),
    gettext_noop("Elo with the ladder's own K and scale, from 1200"),
    gettext_noop("20 points a match, from 800"),
)
"""Names in ``ladder.rules``, which has no translations. Here they are marked for the catalogue."""


def time_ago(moment: datetime) -> str:
    """1 hour 15 minutes ago, or just now."""
    if timezone.now() - moment < timedelta(minutes=1):
        return gettext("just now")
    return gettext("%(time)s ago") % {"time": timesince(moment).replace(gettext(", "), "\xa0")}


def duration_text(duration: timedelta) -> str:
    seconds = duration.total_seconds()
    if seconds < 1:
        return gettext("%(number)s ms") % {"number": f"{seconds * 1000:.0f}"}
    if seconds < 120:
        return gettext("%(number)s s") % {"number": f"{seconds:.1f}"}
    return str(timedelta(seconds=round(seconds)))
