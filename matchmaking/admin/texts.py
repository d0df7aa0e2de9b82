"""Texts and colours of stored codes."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Offer, Ticket
from matchmaking.pairing.types import Reason, Relaxed
from matchmaking.queries.waiting import Forecast, WaveResult

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
    Relaxed.WINDOW: _("The window was wider than at the start, because a player had waited long or is new."),
    Relaxed.REMATCH_PAUSE: _("The two met recently, but had waited so long that the pause between meetings ended."),
}

FORECASTS: dict[Forecast, Promise] = {
    WaveResult.PAIRED: _("The next wave will offer a match."),
    WaveResult.LEFT_OUT: _("Not paired now: there was no heartbeat, or the player cannot start a match."),
    Reason.ALONE: _("No other player is waiting."),
    Reason.NO_COMMON_LENGTH: _("No other player wants one of these match lengths."),
    Reason.OUT_OF_REACH: _("No player with a common match length has a rating that is close enough yet."),
    Reason.ONLY_BLOCKED: _("All players with a close rating are blocked."),
    Reason.ONLY_RECENT: _("All players with a close rating have met this player recently, or are blocked."),
    Reason.ODD_ONE_OUT: _("All players with a close rating are paired with others."),
    Reason.DUPLICATE: _("The player has another ticket."),
}


def duration_text(seconds: float) -> str:
    """12 s, 3 min 05 s, 1 h 02 min."""
    whole = round(seconds)
    if whole < 60:
        return gettext("%(seconds)s s") % {"seconds": whole}
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return gettext("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": f"{rest:02}"}
    hours, minutes = divmod(minutes, 60)
    return gettext("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{minutes:02}"}
