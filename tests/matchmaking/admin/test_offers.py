"""The pages of offers and of repeat opponents."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ladder.services.matches import offers
from matchmaking.models import Offer, OfferSide, Penalty
from matchmaking.queries.opponents import repeat_opponents
from tests import factories
from tests.matchmaking.queueing import declined, deliver, expire, paired

pytestmark = pytest.mark.django_db

OPPONENTS = "/admin/matchmaking/offer/opponents/"


def page(name: str, *args: object) -> str:
    return reverse(f"admin:matchmaking_offer_{name}", args=args)


class TestOffers:
    def test_it_shows_why_the_two_were_paired(self, moderating: Client) -> None:
        match = paired()
        content = moderating.get(page("change", match.pk)).content.decode()
        assert "Both waited for a match over 5 points." in content
        assert "50.0 %" in content
        assert "the ticket allowed 37 to 63 %" in content
        assert "No rule was relaxed" in content

    def test_it_shows_the_relaxed_rules(self, moderating: Client) -> None:
        match = paired()
        Offer.objects.filter(match=match).update(relaxed=["window", "rematch_pause"])
        content = moderating.get(page("change", match.pk)).content.decode()
        assert "The window was wider" in content
        assert "The two met recently" in content
        assert "No rule was relaxed" not in content

    def test_it_shows_the_answers(self, moderating: Client) -> None:
        match = paired()

        def answers_of() -> list[str]:
            response = moderating.get(page("change", match.pk))
            return [side.answer for side in response.context["sides"]]

        assert answers_of() == ["Has not answered yet.", "Has not answered yet."]
        offers.accept(match.pk, match.player_one)
        assert answers_of() == ["Accepted the offer.", "Has not answered yet."]
        offers.decline(match.pk, match.player_two)
        assert answers_of() == ["Accepted the offer.", "Declined the offer."]
        OfferSide.objects.update(delivered=None)  # as in offers from before this was stored
        Penalty.objects.all().delete()
        assert answers_of() == ["Accepted the offer.", "Did not accept it."]

    def test_it_shows_delivery_and_penalty(self, moderating: Client) -> None:
        match = paired()
        deliver(match, match.player_two)
        expire(match)
        response = moderating.get(page("change", match.pk))
        one, two = response.context["sides"]
        assert (one.side.delivered, one.penalty) == (False, None)
        assert two.side.delivered
        assert two.penalty == Penalty.objects.get()
        content = response.content.decode()
        assert "The offer was not delivered." in content
        assert "left an offer unanswered" in content

    def test_the_list(self, moderating: Client) -> None:
        match, other = paired(), declined().match
        url = page("changelist")

        def listed(query: str) -> list[Any]:
            return [offer.pk for offer in moderating.get(f"{url}?{query}").context["cl"].result_list]

        assert listed("") == [other.pk, match.pk]
        assert listed("outcome__exact=open") == [match.pk]
        assert listed(f"q={match.player_one}") == [match.pk]
        assert listed(f"q={other.pk}") == [other.pk]


class TestRepeatOpponents:
    def test_pairs_with_the_most_matches(self, moderating: Client) -> None:
        one, two = factories.make_players(2)
        matches = [factories.confirmed_match(*players) for players in ((one, two), (two, one), (one, two))]
        factories.confirmed_match(one)
        factories.confirmed_match(one, two, origin="challenge")
        factories.cancelled_match(one, two)
        (pair,) = moderating.get(OPPONENTS).context["pairs"]
        assert (pair.one, pair.two, pair.matches, pair.wins_one, pair.wins_two) == (one.username, two.username, 3, 2, 1)
        moved = [
            sum(entry.delta for match in matches for entry in match.entries.filter(standing__player=player))
            for player in (one, two)
        ]
        assert [pair.moved_one, pair.moved_two] == moved
        assert pair.moved_one > 0 > pair.moved_two
        url = f"/admin/ladder/match/?player_one__in={one.pk},{two.pk}&player_two__in={one.pk},{two.pk}"
        found = moderating.get(f"{url}&origin__exact=matchmaking").context["cl"].result_list
        assert set(matches) < set(found)

    def test_only_within_the_period(self) -> None:
        one, two = factories.make_players(2)
        for _ in range(2):
            factories.started_match(one, two)
        assert len(repeat_opponents(timedelta(hours=1), 10)) == 1
        assert repeat_opponents(timedelta(hours=-1), 10) == []

    @pytest.mark.parametrize("period", ["day", "week", "", "x", "' OR 1"])
    def test_an_unknown_period_means_a_day(self, moderating: Client, period: str) -> None:
        response = moderating.get(OPPONENTS, {"period": period})
        assert "No pair has met more than once." in response.content.decode()
