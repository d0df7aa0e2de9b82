"""The queue page and the list of tickets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.services import blocks
from matchmaking.admin.texts import FORECASTS, duration_text
from matchmaking.models import Offer, Ticket
from matchmaking.pairing.types import Reason
from matchmaking.queries import waiting
from matchmaking.queries.waiting import WaveResult
from tests import factories
from tests.matchmaking.queueing import declined, paired, queued

pytestmark = pytest.mark.django_db

QUEUE = "/admin/matchmaking/ticket/queue/"


def page(name: str, *args: object) -> str:
    return reverse(f"admin:matchmaking_ticket_{name}", args=args)


class TestQueue:
    def test_the_longest_wait_is_first(self, moderating: Client) -> None:
        late = queued(None, 3, 5, waited=4)
        early = queued(waited=125)
        response = moderating.get(QUEUE)
        (queue,) = response.context["queues"]
        assert queue["queue"].size == 2
        assert [row.it.ticket for row in queue["rows"]] == [early, late]
        first = queue["rows"][0]
        assert (first.lengths, str(first.it.rating)) == ("5", "600.00")
        assert first.it.waited == pytest.approx(125, abs=10)
        # 5 to begin with, 8 for a newcomer (K 5), 12 for two minutes: at most 25.
        assert [row.it.window for row in queue["rows"]] == [25, 13]
        assert response.context["title"] == "Queue"

    def test_it_updates_until_it_is_paused(self, moderating: Client) -> None:
        live, paused = (moderating.get(QUEUE + query).content.decode() for query in ("", "?live=0"))
        assert 'hx-trigger="every 5s"' in live
        assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in live
        assert 'href="?live=0"' in live
        for word in ('hx-trigger="every', 'http-equiv="refresh"', "?live=0"):
            assert word not in paused
        assert "Resume" in paused

    def test_ladders_without_tickets_are_listed_together(self, moderating: Client) -> None:
        for slug in ("alpha", "omega"):
            factories.make_ladder(slug)
        assert "No player is waiting." in moderating.get(QUEUE).content.decode()
        queued(ladder=factories.make_ladder("middle"))
        response = moderating.get(QUEUE)
        assert [queue["queue"].ladder.slug for queue in response.context["queues"]] == ["middle"]
        assert "No player is waiting on Alpha, Omega." in response.content.decode()

    def test_it_shows_why_each_ticket_waits(self, moderating: Client) -> None:
        one, two = queued(), queued()
        friends = factories.make_players(2)
        blocks.block(friends[0], friends[1].username)
        apart = [queued(friend, 9) for friend in friends]
        alone = queued(None, 7)
        silent = queued()
        Ticket.objects.filter(pk=silent.pk).update(seen_at=timezone.now() - timedelta(minutes=5))
        (queue,) = moderating.get(QUEUE).context["queues"]
        forecasts = {row.it.ticket: row.it.forecast for row in queue["rows"]}
        assert forecasts == {
            one: WaveResult.PAIRED, two: WaveResult.PAIRED, silent: WaveResult.LEFT_OUT, alone: Reason.NO_COMMON_LENGTH,
            **dict.fromkeys(apart, Reason.ONLY_BLOCKED),
        }  # fmt: skip
        assert [row.why for row in queue["rows"]] == [FORECASTS[row.it.forecast] for row in queue["rows"]]
        assert set(FORECASTS) == {*WaveResult, *Reason}
        assert not Offer.objects.exists()

    def test_a_long_queue_has_no_forecast(self, moderating: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(waiting, "LONGEST_FORECAST_QUEUE", 1)
        for _ in range(2):
            queued()
        (queue,) = moderating.get(QUEUE).context["queues"]
        assert [row.why for row in queue["rows"]] == [None, None]

    def test_the_number_of_queries_does_not_grow(self, moderating: Client, django_assert_max_num_queries) -> None:
        for _ in range(10):
            queued()
        with django_assert_max_num_queries(17):
            moderating.get(QUEUE)

    def test_closed_and_waiting_tickets(self, moderating: Client) -> None:
        penalty = declined()
        waits = queued()
        url = page("changelist")
        closed = moderating.get(f"{url}?state__exact=declined").context["cl"].result_list
        assert [ticket.account for ticket in closed] == [penalty.account]
        assert waits in moderating.get(f"{url}?q={waits.account}").context["cl"].result_list
        assert moderating.get(page("change", waits.pk)).status_code == 200


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (125, "2 min 05 s"), (3720, "1 h 02 min")],
)
def test_duration_text(seconds: float, words: str) -> None:
    assert duration_text(seconds) == words


def test_the_first_page_counts_the_queue(moderating: Client) -> None:
    paired()
    queued()
    figures = {str(it.title): it.number for it in moderating.get("/admin/").context["figures"]}
    assert (figures["Waiting in the queue"], figures["Open offers"]) == (1, 1)
