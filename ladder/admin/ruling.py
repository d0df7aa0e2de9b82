"""How a moderator rules a match: he chooses, looks at what it will do, and confirms.

What the second step shows is the ruling itself, made and taken back (``common.transactions.dry_run``).
"""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views import View

from accounts.admin.staff import staff
from accounts.models import AuditEntry
from common.admin.pages import add_refusal, page
from common.errors import Forbidden, Invalid, Refusal
from common.transactions import dry_run
from ladder.admin.explanations import Movement, movement
from ladder.admin.match_page import match_page
from ladder.admin.ruling_form import RULE, Deed, RulingForm
from ladder.admin.words import RULING_REASONS
from ladder.models import Match
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings as moderation
from ladder.services.settlement import Outcome


class RulingPage(View):
    """GET asks; a POST shows what the ruling would do; a POST with ``confirm`` rules."""

    model_admin: Any = None
    deed: Deed = RULE

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not staff(request).has_perm("ladder.rule_match"):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        match = self.match(match_id)
        if match.state not in self.deed.states:
            return self.leave(match, messages.WARNING, already(match))
        try:
            moderation.check_impartial(staff(request), match)
        except Forbidden as refusal:
            return self.leave(match, messages.ERROR, refusal.detail)
        return self.ask(match, RulingForm(match, self.deed))

    def post(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        match = self.match(match_id)
        form = RulingForm(match, self.deed, request.POST)
        if "back" in request.POST or not form.is_valid():
            return self.ask(match, form)
        rule = partial(self.deed.do, **form.ruling(match, staff(request)))
        confirmed = "confirm" in request.POST and form.cleaned_data["seen"] == standing_of(match)
        try:
            outcome = rule() if confirmed else dry_run(rule)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.ask(match, form)
        except Refusal as refusal:
            return self.leave(match, messages.ERROR, refusal.detail)
        if not outcome.changed:
            return self.leave(match, messages.WARNING, already(match))
        if confirmed:
            return self.leave(match, messages.SUCCESS, gettext("Your ruling stands. Both players can read it now."))
        if "confirm" in request.POST:
            messages.warning(request, gettext("The match has changed since you looked at it. Please look again."))
        return self.show(match, form, outcome)

    def match(self, match_id: UUID) -> Match:
        return get_object_or_404(Match.objects.select_related("ladder", "player_one", "player_two"), pk=match_id)

    def ask(self, match: Match, form: RulingForm) -> HttpResponse:
        return page(
            self.model_admin, self.request, "admin/ladder/ruling.html", title=self.deed.title, form=form, match=match,
            original=match, page=match_page(self.request, match), own=match.seat_of(staff(self.request).pk) is not None,
        )  # fmt: skip

    def show(self, match: Match, form: RulingForm, outcome: Outcome) -> HttpResponse:
        kept = {name: form.cleaned_data[name] for name in form.fields} | {"seen": standing_of(match)}
        return page(
            self.model_admin, self.request, "admin/ladder/ruling_confirm.html", title=self.deed.title, match=match,
            original=match, ruling=dict(form.fields["winner"].choices)[form.cleaned_data["winner"]],  # type: ignore[attr-defined]
            reason=RULING_REASONS[ReasonCode(form.cleaned_data["reason_code"])],
            kept={name: "" if value is None else value for name, value in kept.items()},
            text=form.cleaned_data["reason"], movements=movements_of_outcome(match, outcome),
        )  # fmt: skip

    def leave(self, match: Match, level: int, text: str) -> HttpResponse:
        messages.add_message(self.request, level, text)
        return redirect(reverse("admin:ladder_match_change", args=[match.pk]))


def standing_of(match: Match) -> str:
    """How the match stands, as the form remembers it."""
    return f"{match.state}:{match.winner_id}"


def movements_of_outcome(match: Match, outcome: Outcome) -> list[Movement]:
    """What an outcome writes to the ledger, whether or not it is there to stay."""
    players = {
        standing.pk: standing.player for standing in match.ladder.standings.filter(
            pk__in=[entry.standing_id for entry in outcome.entries]
        ).select_related("player")
    }  # fmt: skip
    return [movement(entry, players[entry.standing_id]) for entry in outcome.entries]


def already(match: Match) -> str:
    """Why there is nothing to rule."""
    last = AuditEntry.objects.filter(target_type="ladder.match", target_id=str(match.pk)).select_related("actor").last()
    if last is None or last.actor is None:
        return gettext("The match is %(state)s: there is nothing to rule here.") % {"state": match.get_state_display()}
    return gettext("Already ruled by %(moderator)s. Nothing was changed.") % {"moderator": last.actor}
