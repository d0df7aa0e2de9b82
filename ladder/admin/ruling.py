"""The page on which a moderator rules a match: a form, a preview, and a confirmation.

For the preview, the ruling is made and rolled back (``common.transactions.dry_run``).
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
from common.admin.pages import add_refusal, page
from common.errors import Forbidden, Invalid, Refusal
from common.transactions import dry_run
from ladder.admin.explanations import ExplainedEntry, explain_entry
from ladder.admin.match_page import match_page
from ladder.admin.ruling_form import RULE, RulingAction, RulingForm
from ladder.admin.texts import RULING_REASONS
from ladder.models import Match
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from ladder.services.settlement import Outcome


class RulingPage(View):
    """GET shows the form, POST a preview, and POST with ``confirm`` makes the ruling."""

    model_admin: Any = None
    action: RulingAction = RULE

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not staff(request).has_perm("ladder.rule_match"):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        match = self.match(match_id)
        if match.state not in self.action.states:
            return self.redirect_to(match, messages.WARNING, why_not(match))
        try:
            rulings.check_impartial(staff(request), match)
        except Forbidden as refusal:
            return self.redirect_to(match, messages.ERROR, refusal.detail)
        return self.show_form(match, RulingForm(match, self.action))

    def post(self, request: HttpRequest, match_id: UUID) -> HttpResponse:
        match = self.match(match_id)
        form = RulingForm(match, self.action, request.POST)
        if "back" in request.POST or not form.is_valid():
            return self.show_form(match, form)
        rule = partial(self.action.service, **form.service_arguments(match, staff(request)))
        confirmed = "confirm" in request.POST and form.cleaned_data["seen"] == match_status(match)
        try:
            outcome = rule() if confirmed else dry_run(rule)
        except Invalid as refusal:
            add_refusal(form, refusal)
            return self.show_form(match, form)
        except Refusal as refusal:
            return self.redirect_to(match, messages.ERROR, refusal.detail)
        if not outcome.changed:
            return self.redirect_to(match, messages.WARNING, why_not(match))
        if confirmed:
            return self.redirect_to(match, messages.SUCCESS, gettext("The match is ruled. Both players are notified."))
        if "confirm" in request.POST:
            messages.warning(request, gettext("The match has changed since you opened this page. Please check again."))
        return self.show_preview(match, form, outcome)

    def match(self, match_id: UUID) -> Match:
        return get_object_or_404(Match.objects.select_related("ladder", "player_one", "player_two"), pk=match_id)

    def show_form(self, match: Match, form: RulingForm) -> HttpResponse:
        return page(
            self.model_admin, self.request, "admin/ladder/ruling.html", title=self.action.title, form=form, match=match,
            original=match, page=match_page(self.request, match), own=match.seat_of(staff(self.request).pk) is not None,
        )  # fmt: skip

    def show_preview(self, match: Match, form: RulingForm, outcome: Outcome) -> HttpResponse:
        kept = {name: form.cleaned_data[name] for name in form.fields} | {"seen": match_status(match)}
        return page(
            self.model_admin, self.request, "admin/ladder/ruling_confirm.html", title=self.action.title, match=match,
            original=match, ruling=dict(form.fields["winner"].choices)[form.cleaned_data["winner"]],  # type: ignore[attr-defined]
            reason=RULING_REASONS[ReasonCode(form.cleaned_data["reason_code"])],
            kept={name: "" if value is None else value for name, value in kept.items()},
            text=form.cleaned_data["reason"], note=form.cleaned_data["note"], result=outcome.match,
            entries=entries_of_outcome(match, outcome),
        )  # fmt: skip

    def redirect_to(self, match: Match, level: int, text: str) -> HttpResponse:
        messages.add_message(self.request, level, text)
        return redirect(reverse("admin:ladder_match_change", args=[match.pk]))


def match_status(match: Match) -> str:
    """State and winner of the match, to find out whether it has changed."""
    return f"{match.state}:{match.winner_id}"


def entries_of_outcome(match: Match, outcome: Outcome) -> list[ExplainedEntry]:
    """The ledger entries of an outcome, also if it was rolled back."""
    players = {
        standing.pk: standing.player for standing in match.ladder.standings.filter(
            pk__in=[entry.standing_id for entry in outcome.entries]
        ).select_related("player")
    }  # fmt: skip
    return [explain_entry(entry, players[entry.standing_id]) for entry in outcome.entries]


def why_not(match: Match) -> str:
    """The message if the match cannot be ruled."""
    last = match.rulings.select_related("actor").last()
    if last is None:
        return gettext("The match is %(state)s and cannot be ruled here.") % {"state": match.get_state_display()}
    return gettext("Already ruled by %(moderator)s. Nothing was changed.") % {"moderator": last.actor}
