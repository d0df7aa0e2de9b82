"""How often an answer asks the database: as often for many rows as for few."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Suspension, User
from accounts.services import blocks
from common import sql
from ladder.models import DecayPause, Ladder, Standing
from ladder.rules.ranked import Origin
from ladder.services.ledger.adjusting import adjust
from matchmaking.models import Penalty
from matchmaking.services import invites
from matchmaking.services.arranged import challenge
from matchmaking.services.waves import pair_waiting
from tests.api import clients
from tests.factories import awaiting_match, confirmed_match, make_ladder, make_moderator, make_player, started_match
from tests.matchmaking.queueing import declined, queued

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
    "/api/v1/invites": 3,
    "/api/v1/blocks": 3,
    "/api/v1/events/poll?after=0&timeout=0": 4,
}
# To one who waits in the queue, and to one who holds an offer.
IN_THE_QUEUE = {"/api/v1/me": (13, 13), "/api/v1/matchmaking/tickets/{ticket}": (4, 9)}


def asked(client: clients.Client, address: str) -> int:
    """How many statements Django wrote, and how many are written by hand."""
    with CaptureQueriesContext(connection) as queries, patch.object(sql, "_run", wraps=sql._run) as by_hand:
        assert client.get(address).status_code == 200
    return len(queries) + by_hand.call_count


def play(rounds: int) -> None:
    player = make_player("player01") if rounds == 1 else User.objects.named("player01")
    ladders: list[Ladder] = [make_ladder(), *(make_ladder(f"ladder{number}") for number in range(rounds))]
    for ladder in ladders:
        confirmed_match(player, make_player(), ladder=ladder)
        awaiting_match(make_player(), player, ladder=ladder)
        invites.create(player, ladder, match_length=5)
        blocks.block(player, make_player().username)


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


@pytest.mark.parametrize("rounds", [1, 6])
@pytest.mark.parametrize("address", IN_THE_QUEUE)
def test_who_queues_asks_no_more_for_more_of_everything(address: str, rounds: int) -> None:
    player = make_player("player01")
    for number in range(rounds):
        ladder = make_ladder(f"ladder{number}")
        confirmed_match(player, make_player(), ladder=ladder)
        started_match(player, make_player(), origin=Origin.CHALLENGE)
        challenge(make_player(), player.username, ladder, match_length=5)
        declined(player)
        Penalty.objects.update(until=F("created_at"))
    ticket = queued(player)
    client, place = clients.player(player), address.format(ticket=ticket.pk)
    waiting = asked(client, place)
    queued()
    assert pair_waiting(ticket.ladder).offers == 1
    soon = timezone.now() + timedelta(hours=1)
    Penalty.objects.filter(account=player).update(until=soon)
    Suspension.objects.create(account=player, reason="x", created_by=make_moderator(), until=soon)
    assert (waiting, asked(client, place)) == IN_THE_QUEUE[address]


@pytest.mark.parametrize(("address", "queries"), [("/api/v1/players/player01", 4), ("/api/v1/me", 13)])
def test_forecasts_ask_no_more_for_more_ladders_and_pauses(address: str, queries: int) -> None:
    today, operator = timezone.now().date(), make_player(is_superuser=True)
    for rounds in (1, 6):
        play(rounds)
        player = User.objects.named("player01")
        client = clients.player(player) if address == "/api/v1/me" else clients.anonymous()
        for standing in Standing.objects.filter(player=player):
            adjust(standing, actor=operator, points=950 - standing.rating, reason="x")
        DecayPause.objects.bulk_create(
            DecayPause(
                ladder=ladder, declared_by=player, reason="x",
                first_day=today + timedelta(days=n), last_day=today + timedelta(days=n),
            )
            for ladder in Ladder.objects.all() for n in range(3)
        )  # fmt: skip
        assert all(row["decay"] for row in client.get(address).json()["standings"])
        assert asked(client, address) == queries
