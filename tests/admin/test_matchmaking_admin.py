"""Matchmaking in the admin: the queue, offers and why they were made, repeat opponents, penalties."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from ladder.models import AuditEntry, Match, User
from ladder.services import reporting
from matchmaking.admin.words import seconds_in_words
from matchmaking.models import Offer, OfferSide, Penalty, Ticket
from matchmaking.queries.queue import repeat_opponents
from matchmaking.services import penalties, tickets
from tests import factories
from tests.admin.conftest import Visit
from tests.admin.test_permissions import STAFF_WITH_THE_RIGHT, answers
from tests.matchmaking.queueing import deliver, expire, paired, queued

pytestmark = pytest.mark.django_db

QUEUE = "/admin/matchmaking/ticket/queue/"
OPPONENTS = "/admin/matchmaking/offer/opponents/"


def said(response: Any) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def page(name: str, model: str, *args: object) -> str:
    return reverse(f"admin:matchmaking_{model}_{name}", args=args)


def declined() -> Penalty:
    """The penalty of a player who declined an offer; the other one does not wait for another."""
    match = paired()
    reporting.decline(match.pk, match.player_one)
    left = Ticket.objects.get(account=match.player_two)
    tickets.cancel(left.pk, match.player_two)
    return Penalty.objects.get(match=match)


@pytest.fixture
def clients(visit: Visit, request: pytest.FixtureRequest) -> dict[str, Client]:
    names = ("player", "newcomer", "moderator", "operator")
    return {"nobody": Client(), **{who: visit(request.getfixturevalue(who)) for who in names}}


class TestQueue:
    def test_it_shows_who_waits_the_longest_first(self, moderating: Client) -> None:
        late = queued(None, 3, 5, waited=4)
        early = queued(waited=125)
        response = moderating.get(QUEUE)
        (line,) = response.context["lines"]
        assert line["line"].length == 2
        assert [row[0].ticket for row in line["rows"]] == [early, late]
        first, _waited, _silent, lengths = line["rows"][0]
        assert (lengths, str(first.rating)) == ("5", "600.00")
        assert first.waited == pytest.approx(125, abs=10)
        # 5 to begin with, 8 for a newcomer (K 5), 12 for two minutes: at most 25.
        assert [row[0].window for row in line["rows"]] == [25, 13]
        assert response["Refresh"] == "5"

    def test_an_empty_one(self, moderating: Client) -> None:
        factories.make_ladder()
        assert "Nobody waits." in moderating.get(QUEUE).content.decode()

    def test_it_takes_as_many_queries_for_many_as_for_few(
        self, moderating: Client, django_assert_max_num_queries
    ) -> None:
        for _ in range(10):
            queued()
        with django_assert_max_num_queries(14):
            moderating.get(QUEUE)

    def test_what_became_of_tickets(self, moderating: Client) -> None:
        penalty = declined()
        waits = queued()
        url = page("changelist", "ticket")
        closed = moderating.get(f"{url}?state__exact=declined").context["cl"].result_list
        assert [ticket.account for ticket in closed] == [penalty.account]
        assert waits in moderating.get(f"{url}?q={waits.account}").context["cl"].result_list
        assert moderating.get(page("change", "ticket", waits.pk)).status_code == 200


class TestOffers:
    def test_it_says_why_these_two(self, moderating: Client) -> None:
        match = paired()
        content = moderating.get(page("change", "offer", match.pk)).content.decode()
        assert "Both waited for a match over 5 points." in content
        assert "50.0 %" in content
        assert "he took anything from 37 to 63 %" in content
        assert "Nothing was relaxed for it" in content

    def test_it_says_what_waiting_did(self, moderating: Client) -> None:
        match = paired()
        Offer.objects.filter(match=match).update(relaxed=["window", "rematch_pause"])
        content = moderating.get(page("change", "offer", match.pk)).content.decode()
        assert "had widened the window" in content
        assert "had met not long ago" in content
        assert "Nothing was relaxed" not in content

    def test_it_says_whom_it_reached_and_what_followed(self, moderating: Client) -> None:
        match = paired()
        deliver(match, match.player_two)
        expire(match)
        response = moderating.get(page("change", "offer", match.pk))
        one, two = response.context["sides"]
        assert (one.reached, one.penalty) == (False, None)
        assert two.reached
        assert two.penalty == Penalty.objects.get()
        content = response.content.decode()
        assert "The offer has not reached him." in content
        assert "left an offer unanswered" in content

    def test_the_list(self, moderating: Client) -> None:
        match, other = paired(), declined().match
        url = page("changelist", "offer")

        def listed(query: str) -> list[Any]:
            return [offer.pk for offer in moderating.get(f"{url}?{query}").context["cl"].result_list]

        assert listed("") == [other.pk, match.pk]
        assert listed("outcome__exact=open") == [match.pk]
        assert listed(f"q={match.player_one}") == [match.pk]
        assert listed(f"q={other.pk}") == [other.pk]


class TestRepeatOpponents:
    def test_pairs_who_met_most(self, moderating: Client) -> None:
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
    def test_a_period_that_is_none_is_a_day(self, moderating: Client, period: str) -> None:
        response = moderating.get(OPPONENTS, {"period": period})
        assert "Nobody met anybody twice." in response.content.decode()


class TestPenalties:
    def test_lifted_with_a_reason(self, moderating: Client, moderator: User) -> None:
        penalty = declined()
        url = page("lift", "penalty", penalty.pk)
        assert url in moderating.get(page("change", "penalty", penalty.pk)).content.decode()
        assert "It keeps the player out" in moderating.get(url).content.decode()
        response = moderating.post(url, {"reason": "His connection broke."}, follow=True)
        assert "The penalty is lifted." in said(response)
        assert url not in response.content.decode()
        penalty.refresh_from_db()
        assert (penalty.lifted_by, penalty.lifted_reason) == (moderator, "His connection broke.")
        entry = AuditEntry.objects.get(action="penalty.lift")
        trail = moderating.get("/admin/ladder/auditentry/").content.decode()
        assert "lifted a penalty" in trail
        assert page("change", "penalty", penalty.pk) in trail
        assert moderating.get(reverse("admin:ladder_auditentry_change", args=[entry.pk])).status_code == 200
        assert "lifted already" in said(moderating.post(url, {"reason": "Again."}, follow=True))

    @pytest.mark.parametrize("reason", ["", "  ", "x" * 2001])
    def test_not_without(self, moderating: Client, reason: str) -> None:
        penalty = declined()
        response = moderating.post(page("lift", "penalty", penalty.pk), {"reason": reason})
        assert response.context["form"].errors["reason"]
        penalty.refresh_from_db()
        assert penalty.lifted_at is None

    def test_not_ones_own(self, moderating: Client, moderator: User) -> None:
        match = paired(moderator)
        reporting.decline(match.pk, moderator)
        url = page("lift", "penalty", Penalty.objects.get().pk)
        assert "of his own" in said(moderating.post(url, {"reason": "x"}, follow=True))

    def test_in_force_or_not(self, moderating: Client, operator: User) -> None:
        warning = declined()
        held = declined()
        Penalty.objects.filter(pk=held.pk).update(until=held.created_at + timedelta(hours=1))
        lifted = declined()
        penalties.lift(lifted.pk, actor=operator, reason="x")
        url = page("changelist", "penalty")
        assert list(moderating.get(f"{url}?in_force=yes").context["cl"].result_list) == [held]
        assert set(moderating.get(f"{url}?in_force=no").context["cl"].result_list) == {warning, lifted}

    def test_there_is_no_such_penalty(self, moderating: Client) -> None:
        assert moderating.get(page("lift", "penalty", 999_999_999)).status_code == 302


class TestPermissions:
    def test_pages_are_for_moderators(self, clients: dict[str, Client]) -> None:
        penalty = declined()
        rows = {"ticket": Ticket.objects.latest("pk").pk, "offer": penalty.match_id, "penalty": penalty.pk}
        for model, pk in rows.items():
            assert answers(clients, page("changelist", model)) == STAFF_WITH_THE_RIGHT
            assert answers(clients, page("change", model, pk)) == STAFF_WITH_THE_RIGHT
        for url in (QUEUE, OPPONENTS, page("lift", "penalty", penalty.pk)):
            assert answers(clients, url) == STAFF_WITH_THE_RIGHT
        assert answers(clients, page("lift", "penalty", penalty.pk), "post") == STAFF_WITH_THE_RIGHT

    def test_nothing_is_written_but_by_lifting(self, clients: dict[str, Client]) -> None:
        penalty = declined()
        rows = {"ticket": Ticket.objects.latest("pk").pk, "offer": penalty.match_id, "penalty": penalty.pk}
        for who in ("moderator", "operator"):
            for model, pk in rows.items():
                for url in (page("add", model), page("change", model, pk), page("delete", model, pk)):
                    assert clients[who].post(url, {"post": "yes"}).status_code == 403, url
        assert (Offer.objects.count(), OfferSide.objects.count(), Match.objects.count()) == (1, 2, 1)

    def test_to_look_is_not_to_lift(self, newcomer: User, visit: Visit) -> None:
        newcomer.user_permissions.add(Permission.objects.get(codename="view_penalty"))
        penalty = declined()
        url = page("lift", "penalty", penalty.pk)
        shown = visit(newcomer).get(page("change", "penalty", penalty.pk))
        assert shown.status_code == 200
        assert url not in shown.content.decode()
        assert visit(newcomer).post(url, {"reason": "x"}).status_code == 403
        content = visit(newcomer).get("/admin/").content.decode()
        assert page("changelist", "penalty") in content
        assert QUEUE not in content


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (125, "2 min 05 s"), (3720, "1 h 02 min")],
)
def test_seconds_in_words(seconds: float, words: str) -> None:
    assert seconds_in_words(seconds) == words


def test_the_first_page_counts_the_queue(moderating: Client) -> None:
    paired()
    queued()
    figures = {str(it["title"]): it["number"] for it in moderating.get("/admin/").context["figures"]}
    assert (figures["Waiting in the queue"], figures["Open offers"]) == (1, 1)
