"""The metrics of the queue."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.services.matches import offers
from tests.factories import make_ladder
from tests.matchmaking.queueing import deliver, expire, paired, queued

pytestmark = pytest.mark.django_db


def shown() -> dict[str, float]:
    lines = Client().get("/metrics").content.decode().splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if line.startswith("matchmaking_"))
    return {name.removeprefix("matchmaking_"): float(value) for name, value in pairs}


def test_waits_on_each_ladder() -> None:
    make_ladder("other")
    for waited in (10, 20, 300):
        queued(waited=waited)
    figures = shown()
    assert figures['queue_tickets{ladder="backgammon"}'] == 3
    assert figures['queue_longest_wait_seconds{ladder="backgammon"}'] == pytest.approx(300, abs=5)
    assert figures['queue_median_wait_seconds{ladder="backgammon"}'] == pytest.approx(20, abs=5)
    assert figures['queue_tickets{ladder="other"}'] == 0
    assert figures['queue_longest_wait_seconds{ladder="other"}'] == 0


def test_outcomes_of_the_offers_of_the_last_hour() -> None:
    started, declined, unanswered = paired(), paired(), paired()
    paired()
    for player in (started.player_one, started.player_two):
        offers.accept(started.pk, player)
    offers.decline(declined.pk, declined.player_one)
    deliver(unanswered, unanswered.player_two)
    expire(unanswered)
    figures = shown()
    outcomes = {
        outcome: figures[f'offers{{ladder="backgammon",outcome="{outcome}"}}']
        for outcome in ("open", "started", "declined", "expired")
    }
    assert outcomes == {"open": 1, "started": 1, "declined": 1, "expired": 1}
    assert figures['faults{fault="declined",ladder="backgammon"}'] == 1
    assert figures['faults{fault="unanswered",ladder="backgammon"}'] == 1
    assert 0 <= figures['offers_waited_median_seconds{ladder="backgammon"}'] < 60
    assert figures['offers_unfairness_mean{ladder="backgammon"}'] == 0


def test_without_offers_there_are_no_averages() -> None:
    make_ladder()
    figures = shown()
    assert figures['offers{ladder="backgammon",outcome="started"}'] == 0
    assert not [name for name in figures if "unfairness" in name or "offers_waited" in name]
