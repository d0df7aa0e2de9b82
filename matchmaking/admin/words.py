"""What stored codes are called on the pages, and the colours of their labels."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.points import AuditAction
from matchmaking.models import Offer, Ticket
from matchmaking.pairing.types import Reason, Relaxed
from matchmaking.queries.waiting import Outlook, Prospect

TICKET_COLOURS = {
    Ticket.State.WAITING: "info",
    Ticket.State.OFFERED: "warning",
    Ticket.State.MATCHED: "success",
    Ticket.State.CANCELLED: "default",
    Ticket.State.DECLINED: "danger",
    Ticket.State.UNANSWERED: "danger",
    Ticket.State.SILENT: "default",
    Ticket.State.STOPPED: "danger",
}

OUTCOME_COLOURS = {
    Offer.Outcome.OPEN: "info",
    Offer.Outcome.STARTED: "success",
    Offer.Outcome.DECLINED: "danger",
    Offer.Outcome.EXPIRED: "warning",
    Offer.Outcome.CALLED_OFF: "default",
}

RELAXED = {
    Relaxed.WINDOW: _("the window"),
    Relaxed.REMATCH_PAUSE: _("the pause between meetings"),
}

WHY_RELAXED = {
    Relaxed.WINDOW: _("Less even than what the queue begins with: waiting or being new had widened the window."),
    Relaxed.REMATCH_PAUSE: _("The two had met not long ago: waiting outweighed the pause between meetings."),
}

OUTLOOKS: dict[Outlook, Promise] = {
    Prospect.PAIRED: _("The next wave offers him a match."),
    Prospect.LEFT_OUT: _("Left out for now: gives no sign of life, or may start no match."),
    Reason.ALONE: _("Nobody else waits."),
    Reason.NO_COMMON_LENGTH: _("Nobody else takes one of his lengths."),
    Reason.OUT_OF_REACH: _("Nobody who takes one of his lengths is near enough in rating yet."),
    Reason.ONLY_BLOCKED: _("Whoever is near enough is blocked."),
    Reason.ONLY_RECENT: _("Whoever is near enough met him not long ago, or is blocked."),
    Reason.ODD_ONE_OUT: _("Whoever is near enough meets somebody else."),
    Reason.DUPLICATE: _("The player has another ticket."),
}


def seconds_in_words(seconds: float) -> str:
    """12 s, 3 min 05 s, 1 h 02 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min"


AUDIT_ACTIONS = (AuditAction("penalty.lift", _("lifted a penalty")),)
