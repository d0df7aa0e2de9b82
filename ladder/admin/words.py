"""What stored codes are called on the pages, and the colours of their labels."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.points import AuditAction
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
    DecayRun.State.REVERTING: "warning",
    DecayRun.State.REVERTED: "danger",
}

RULING_REASONS: dict[str, str | Promise] = dict(REASON_CODES)

REASONS: dict[str, str | Promise] = {
    **RULING_REASONS,
    "declined": _("An offer was declined"),
    "offer_expired": _("The offer expired"),
    "called_off": _("The offer was called off: the two must not meet"),
    "challenge": _("Friends challenged each other"),
    "invite": _("Made by an invite link"),
    "rematch": _("A rematch between the two"),
    "self_match": _("A player against himself"),
    "bye": _("A bye"),
    "walkover": _("A walkover"),
    "no_show": _("Somebody did not show up"),
    "nobody_moved": _("Nobody moved"),
    "server_failed": _("The game server failed"),
    "no_result": _("Nobody reported a result"),
    "voided": _("Voided"),
    "cancelled": _("Cancelled"),
}

AUDIT_ACTIONS = (
    AuditAction("match.rule", _("ruled the match")),
    AuditAction("match.overturn", _("overturned the result")),
    AuditAction("decay.pause", _("declared a pause")),
    AuditAction("decay.end_pause", _("ended a pause early")),
    AuditAction("decay.revert", _("reverted a decay run")),
    AuditAction("rating.adjust", _("adjusted a rating")),
    AuditAction("ladder.create", _("made a ladder")),
    AuditAction("ladder.change", _("changed a ladder")),
)


def reason_in_words(code: str | None) -> str:
    return str(REASONS.get(code, code)) if code else ""
