"""What a moderator may do to a match, and what he has to say for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
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
from ladder.admin.words import RULING_REASONS
from ladder.models import Match
from ladder.rules.match_life import PLAYABLE, Seat, State
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings as moderation
from ladder.services.settlement import Outcome


@dataclass(frozen=True, slots=True)
class Deed:
    """What a moderator may do to a match in one of these states."""

    name: str
    title: str | Promise
    states: frozenset[State]
    do: Callable[..., Outcome]
    takes_score: bool


RULE = Deed("rule", _("Rule the match"), PLAYABLE, moderation.rule_match, takes_score=True)
OVERTURN = Deed(
    "overturn", _("Overturn the result"), frozenset({State.CONFIRMED}), moderation.overturn_match, takes_score=False
)

VOID = "void"


class RulingForm(forms.Form):
    winner = forms.ChoiceField(label=_("Ruling"), widget=UnfoldAdminRadioSelectWidget())
    loser_score = forms.IntegerField(
        label=_("Loser's score"),
        required=False,
        help_text=_("In points, where it is known and somebody won."),
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    reason_code = forms.ChoiceField(
        label=_("Reason"), choices=[("", _("Select value")), *RULING_REASONS.items()], widget=UnfoldAdminSelectWidget()
    )
    reason = forms.CharField(
        label=_("Text for the players"),
        max_length=MAX_TEXT,
        help_text=_("Both players read this beside the result."),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )
    # How the match stood when the moderator looked at it.
    seen = forms.CharField(widget=forms.HiddenInput(), required=False)

    def __init__(self, match: Match, deed: Deed, data: Any = None) -> None:
        super().__init__(data)
        if not deed.takes_score:
            del self.fields["loser_score"]
        won = _("%(player)s won")
        choices = [
            (str(seat), won % {"player": player})
            for seat, player in ((1, match.player_one), (2, match.player_two))
            if data is not None or player.pk != match.winner_id  # a repeated answer gets its answer from the service
        ]
        winner = self.fields["winner"]
        assert isinstance(winner, forms.ChoiceField)
        winner.choices = [*choices, (VOID, _("Void: the match does not count"))]

    def ruling(self, match: Match, actor: User) -> dict[str, Any]:
        """What the service is asked for."""
        data = self.cleaned_data
        score = {"loser_score": data["loser_score"]} if data.get("loser_score") is not None else {}
        return {
            "match_id": match.pk,
            "actor": actor,
            "winner": seat_of(data["winner"]),
            "reason_code": ReasonCode(data["reason_code"]),
            "reason": data["reason"],
            **score,
        }


def seat_of(choice: str) -> Seat | None:
    return 1 if choice == "1" else 2 if choice == "2" else None
