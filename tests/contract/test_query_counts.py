"""How often an answer asks the database: as often for many rows as for few."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.models import DecayPause, Ladder, Standing, User
from tests.api import clients
from tests.factories import awaiting_match, confirmed_match, make_ladder, make_player

pytestmark = pytest.mark.django_db

READS = {
    "/api/v1/ladders": 2,
    "/api/v1/ladders/backgammon": 2,
    "/api/v1/ladders/backgammon/leaderboard": 3,
    "/api/v1/ladders/backgammon/leaderboard?tier=bronze": 3,
    "/api/v1/ladders/backgammon/leaderboard/most-wins": 4,
    "/api/v1/players/player01": 2,
    "/api/v1/players/player01/matches": 4,
    "/api/v1/players/player01/matches?ladder=backgammon": 5,
    "/api/v1/players/player01/rating-entries": 2,
    "/api/v1/players/player01/rating-entries?ladder=backgammon": 3,
}
# Two of each are the session and the account.
OWN_READS = {
    "/api/v1/me": 11,
    "/api/v1/players/player01/matches": 6,
    "/api/v1/ladders/backgammon/leaderboard/around-me": 7,
}


def asked(client: clients.Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def play(rounds: int) -> None:
    player = make_player("player01") if rounds == 1 else User.objects.named("player01")
    ladders: list[Ladder] = [make_ladder(), *(make_ladder(f"ladder{number}") for number in range(rounds))]
    for ladder in ladders:
        confirmed_match(player, make_player(), ladder=ladder)
        awaiting_match(make_player(), player, ladder=ladder)


@pytest.mark.parametrize("address", READS)
def test_lists_ask_no_more_for_more_rows(address: str) -> None:
    client = clients.anonymous()
    play(1)
    assert asked(client, address) == READS[address]
    play(6)
    assert asked(client, address) == READS[address]


@pytest.mark.parametrize("address", OWN_READS)
def test_what_is_ones_own_asks_no_more_for_more_rows(address: str) -> None:
    play(1)
    client = clients.player(User.objects.named("player01"))
    assert asked(client, address) == OWN_READS[address]
    play(6)
    assert asked(client, address) == OWN_READS[address]


@pytest.mark.parametrize(("address", "queries"), [("/api/v1/players/player01", 4), ("/api/v1/me", 13)])
def test_forecasts_ask_no_more_for_more_ladders_and_pauses(address: str, queries: int) -> None:
    today = timezone.now().date()
    for rounds in (1, 6):
        play(rounds)
        player = User.objects.named("player01")
        client = clients.player(player) if address == "/api/v1/me" else clients.anonymous()
        Standing.objects.filter(player=player).update(rating=950, peak_rating=950)
        DecayPause.objects.bulk_create(
            DecayPause(
                ladder=ladder, declared_by=player, reason="x",
                first_day=today + timedelta(days=n), last_day=today + timedelta(days=n),
            )
            for ladder in Ladder.objects.all() for n in range(3)
        )  # fmt: skip
        assert all(row["decay"] for row in client.get(address).json()["standings"])
        assert asked(client, address) == queries
