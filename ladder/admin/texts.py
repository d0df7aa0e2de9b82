"""Texts and colours of stored codes."""

from __future__ import annotations

from django.utils.functional import Promise
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
