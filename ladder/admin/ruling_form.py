"""The form of a ruling, and the two kinds of ruling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from accounts.models import User
from common.limits import MAX_TEXT
from ladder.admin.texts import RULING_REASONS
from ladder.models import Match, MatchReport
from ladder.models.match import ENDINGS
from ladder.rules.match_life import PLAYABLE, Ending, Seat, State
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from ladder.services.settlement import Outcome


@dataclass(frozen=True, slots=True)
class RulingAction:
    """A kind of ruling, for matches in these states. ``takes_result``: the form asks for score and ending."""

    name: str
    title: str | Promise
    states: frozenset[State]
    service: Callable[..., Outcome]
    takes_result: bool


RULE = RulingAction("rule", _("Rule the match"), PLAYABLE, rulings.rule_match, takes_result=True)
OVERTURN = RulingAction(
    "overturn", _("Overturn the result"), frozenset({State.CONFIRMED}), rulings.overturn_match, takes_result=False
)

VOID = "void"


class RulingForm(forms.Form):
    """Score and ending are filled in if only one player claims the win."""

    winner = forms.ChoiceField(label=_("Ruling"), widget=UnfoldAdminRadioSelectWidget())
    loser_score = forms.IntegerField(
        label=_("Loser's score"),
        required=False,
        help_text=_("In points. Empty: the score that the winner reported."),
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    ending = forms.ChoiceField(
        label=_("Ending"),
        required=False,
        choices=[("", _("As the winner reported")), *ENDINGS],
        widget=UnfoldAdminSelectWidget(),
    )
    reason_code = forms.ChoiceField(
        label=_("Reason"), choices=[("", _("Select value")), *RULING_REASONS.items()], widget=UnfoldAdminSelectWidget()
    )
    reason = forms.CharField(
        label=_("Text for the players"),
        max_length=MAX_TEXT,
        help_text=_("Both players can read this."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )
    note = forms.CharField(
        label=_("Private note"),
        required=False,
        max_length=MAX_TEXT,
        help_text=_("Only staff can read this."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )
    # The state and winner of the match when the moderator opened the form.
    seen = forms.CharField(widget=forms.HiddenInput(), required=False)

    def __init__(self, match: Match, action: RulingAction, data: Any = None) -> None:
        self.claim = only_claim(match) if action.takes_result else None
        initial = {"loser_score": self.claim.loser_score, "ending": self.claim.ending} if self.claim else {}
        super().__init__(data, initial=initial)
        if not action.takes_result:
            del self.fields["loser_score"], self.fields["ending"]
        won = _("%(player)s won")
        choices = [
            (str(seat), won % {"player": player})
            for seat, player in ((1, match.player_one), (2, match.player_two))
            # A repeated POST can name the present winner; the service then answers that nothing changed.
            if data is not None or player.pk != match.winner_id
        ]
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [*choices, (VOID, _("Void: the match does not count"))]

    def service_arguments(self, match: Match, actor: User) -> dict[str, Any]:
        """The arguments of the service."""
        data = self.cleaned_data
        winner = seat_of(data["winner"])
        result: dict[str, Any] = {}
        for name, convert in (("loser_score", int), ("ending", Ending)):
            # The values of one player's claim count for the other player's win only if the moderator changed them.
            is_meant = name in self.changed_data or (self.claim and match.seat_of(self.claim.winner_id) == winner)
            if winner and is_meant and data.get(name) not in (None, ""):
                result[name] = convert(data[name])
        return {
            "match_id": match.pk,
            "actor": actor,
            "winner": winner,
            "reason_code": ReasonCode(data["reason_code"]),
            "reason": data["reason"],
            "note": data["note"],
            **result,
        }


def only_claim(match: Match) -> MatchReport | None:
    """The report of a player's own win, if only one player claims it."""
    claims = list(match.reports.filter(reporter=F("winner"))[:2])
    return claims[0] if len(claims) == 1 else None


def seat_of(choice: str) -> Seat | None:
    return 1 if choice == "1" else 2 if choice == "2" else None
