"""Offers: which players were paired, why, and the outcome; and pairs that meet often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from accounts.admin.search import PlayerSearch
from accounts.models import User
from common.admin.base import ReadOnlyAdmin
from common.admin.pages import page
from matchmaking.admin.texts import OUTCOME_COLOURS, RELAXED, WHY_RELAXED, duration_text
from matchmaking.cooldowns import Fault
from matchmaking.limits import MAX_REPEAT_PAIRS
from matchmaking.models import Offer, OfferSide, Penalty
from matchmaking.pairing.types import Relaxed
from matchmaking.queries.opponents import repeat_opponents

PERIODS = {"day": (timedelta(days=1), _("24 hours")), "week": (timedelta(days=7), _("7 days"))}


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of an offer. ``low`` to ``high`` are the win probabilities that the ticket allowed."""

    player: User
    side: OfferSide
    chance: str
    waited: str
    low: int
    high: int
    answer: str
    penalty: Penalty | None


@admin.register(Offer)
class OfferAdmin(PlayerSearch, ReadOnlyAdmin):
    list_display = ("players", "outcome_label", "length", "chance", "relaxed_rules", "created_at")
    list_select_related = ("match__ladder", "match__player_one", "match__player_two")
    list_filter = (("outcome", ChoicesDropdownFilter), ("match__ladder", RelatedDropdownFilter))
    search_help_text = _("Start of a player's username, or a match id")
    ordering = ("-match_id",)
    change_form_template = "admin/matchmaking/offer.html"
    fields = ()

    def search_filter(self, players: list[int], uuid: UUID | None) -> Q:
        return Q(pk=uuid) if uuid else Q(match__player_one__in=players) | Q(match__player_two__in=players)

    def get_urls(self) -> list[Any]:
        opponents = self.admin_site.admin_view(self.opponents_view)
        return [path("opponents/", opponents, name="matchmaking_offer_opponents"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        offer = self.get_object(request, object_id)
        context = {} if offer is None else {
            "title": str(offer),
            "offer": offer,
            "outcome_colour": OUTCOME_COLOURS[Offer.Outcome(offer.outcome)],
            "sides": sides_of(offer),
            "relaxed": [WHY_RELAXED[Relaxed(rule)] for rule in offer.relaxed],
        }  # fmt: skip
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def opponents_view(self, request: HttpRequest) -> HttpResponse:
        """The pairs with the most matches, in a day or a week."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        chosen = request.GET.get("period", "day")
        period, _title = PERIODS.get(chosen, PERIODS["day"])
        periods = [(name, title, name == chosen) for name, (_length, title) in PERIODS.items()]
        return page(
            self, request, "admin/matchmaking/opponents.html", title=_("Repeat opponents"), periods=periods,
            pairs=repeat_opponents(period, MAX_REPEAT_PAIRS),
        )  # fmt: skip

    @display(description=_("players"), header=True)
    def players(self, offer: Offer) -> tuple[str, str]:
        return f"{offer.match.player_one} – {offer.match.player_two}", offer.match.ladder.name

    @display(description=_("outcome"), label=OUTCOME_COLOURS)
    def outcome_label(self, offer: Offer) -> tuple[str, str]:
        return offer.outcome, offer.get_outcome_display()

    @display(description=_("points"))
    def length(self, offer: Offer) -> int:
        return offer.match.match_length

    @display(description=_("win probabilities"))
    def chance(self, offer: Offer) -> str:
        return f"{_percent(offer.win_probability)} : {_percent(1 - offer.win_probability)}"

    @display(description=_("relaxed"))
    def relaxed_rules(self, offer: Offer) -> str:
        return ", ".join(str(RELAXED[Relaxed(rule)]) for rule in offer.relaxed) or "-"


def sides_of(offer: Offer) -> list[Side]:
    """Both sides of an offer, with the answer and the penalty of each player."""
    match = offer.match
    rows = {side.seat: side for side in offer.sides.all()}
    penalties = {penalty.account_id: penalty for penalty in Penalty.objects.filter(match=match)}
    seats = (
        (1, match.player_one, offer.win_probability, match.one_accepted_at),
        (2, match.player_two, 1 - offer.win_probability, match.two_accepted_at),
    )
    return [
        Side(
            player=player,
            side=rows[seat],
            chance=_percent(chance),
            waited=duration_text(rows[seat].waited),
            low=50 - rows[seat].window,
            high=50 + rows[seat].window,
            answer=_answer(rows[seat], penalties.get(player.pk), accepted=accepted_at is not None),
            penalty=penalties.get(player.pk),
        )
        for seat, player, chance, accepted_at in seats
    ]


def _answer(side: OfferSide, penalty: Penalty | None, *, accepted: bool) -> str:
    if penalty is not None and penalty.fault == Fault.DECLINED:
        return gettext("Declined the offer.")
    if accepted:
        return gettext("Accepted the offer.")
    if side.is_open:
        return gettext("Has not answered yet.")
    if side.delivered is None:  # the offer ended before this was stored
        return gettext("Did not accept it.")
    return gettext("The offer was delivered.") if side.delivered else gettext("The offer was not delivered.")


def _percent(chance: float) -> str:
    return gettext("%(number)s %%") % {"number": f"{chance * 100:.1f}"}
