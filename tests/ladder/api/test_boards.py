"""Leaderboards: ranks, tiers, neighbours and pages that hold still while ratings move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from ladder.models import Ladder, Standing
from ladder.queries import boards
from tests import clients
from tests.factories import confirmed_match, make_ladder, make_player, make_players, offered_match

pytestmark = pytest.mark.django_db


def put_on_board(ladder: Ladder, *ratings: int) -> list[Standing]:
    """Players who stand at these ratings, as an import of long ago would have left them."""
    standings = [
        Standing(ladder=ladder, player=player, rating=rating, peak_rating=2000, last_ranked_at=timezone.now())
        for rating, player in zip(ratings, make_players(len(ratings)), strict=True)
    ]
    return Standing.objects.bulk_create(standings)


def walk(client: clients.Client, url: str, key: str = "next") -> Iterator[dict[str, Any]]:
    address: str | None = url
    while address:
        answer = client.get(address)
        assert answer.status_code == 200, answer.content
        yield answer.json()
        address = answer.json()[key]


def names(pages: Iterator[dict[str, Any]]) -> list[str]:
    return [row["username"] for page in pages for row in page["results"]]


def test_equal_ratings_share_a_rank() -> None:
    put_on_board(make_ladder(), 700, 650, 650, 600)
    rows = clients.anonymous().get("ladders/backgammon/leaderboard").json()["results"]
    assert [(row["rank"], row["rating"]) for row in rows] == [
        (1, "700.00"),
        (2, "650.00"),
        (2, "650.00"),
        (4, "600.00"),
    ]
    assert [row["tier"] for row in rows] == ["gold", "silver", "silver", "bronze"]


@pytest.mark.parametrize("page_size", [1, 2, 3, 5])
def test_ranks_hold_across_pages(page_size: int) -> None:
    put_on_board(make_ladder(), 700, 650, 650, 650, 600, 600, 550)
    pages = walk(clients.anonymous(), f"ladders/backgammon/leaderboard?page_size={page_size}")
    assert [row["rank"] for page in pages for row in page["results"]] == [1, 2, 2, 2, 5, 5, 7]


def test_whoever_has_no_settled_match_is_not_listed() -> None:
    match = confirmed_match()
    offered_match()
    rows = clients.anonymous().get("ladders/backgammon/leaderboard").json()["results"]
    assert [row["username"] for row in rows] == [match.player_one.username, match.player_two.username]


def test_a_tier_keeps_the_ranks_of_the_whole_board() -> None:
    put_on_board(make_ladder(), 1000, 720, 710, 640, 599)
    client = clients.anonymous()

    def tier(name: str) -> list[tuple[int, str]]:
        rows = client.get(f"ladders/backgammon/leaderboard?tier={name}").json()["results"]
        return [(row["rank"], row["rating"]) for row in rows]

    assert tier("gold") == [(2, "720.00"), (3, "710.00")]
    assert tier("bronze") == [(4, "640.00"), (5, "599.00")]
    unknown = client.get("ladders/backgammon/leaderboard?tier=wood")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "tier_not_found")


def test_three_hundred_equals_are_each_listed_once_forwards_and_back() -> None:
    standings = put_on_board(make_ladder(), *[600] * 300)
    client = clients.anonymous()
    pages = list(walk(client, "ladders/backgammon/leaderboard?page_size=7"))
    listed = names(iter(pages))
    assert listed == [standing.player.username for standing in standings]
    assert {row["rank"] for page in pages for row in page["results"]} == {1}
    back = list(walk(client, pages[-1]["previous"], "previous"))
    assert [row["username"] for page in reversed(back) for row in page["results"]] == listed[: 42 * 7]


def test_nobody_is_lost_or_repeated_while_ratings_move() -> None:
    standings = put_on_board(make_ladder(), *[600] * 300)
    listed: list[str] = []
    moved = {standing.pk for standing in standings[::5]}
    for number, page in enumerate(walk(clients.anonymous(), "ladders/backgammon/leaderboard?page_size=10")):
        listed += [row["username"] for row in page["results"]]
        # Between two pages, one of those still ahead passes everyone, and one who was listed falls far behind.
        ahead, behind = standings[-1 - number], standings[number]
        Standing.objects.filter(pk=ahead.pk).update(rating=900 + number)
        Standing.objects.filter(pk=behind.pk).update(rating=601 + number)
        moved |= {ahead.pk, behind.pk}
    steady = [standing.player.username for standing in standings if standing.pk not in moved]
    assert len(listed) == len(set(listed))
    assert set(steady) <= set(listed)


def test_around_me() -> None:
    standings = put_on_board(make_ladder(), 900, 800, 700, 700, 600, 500)
    me = standings[3].player
    client = clients.player(me)
    rows = client.get("ladders/backgammon/leaderboard/around-me?each_side=2").json()["results"]
    assert [(row["rank"], row["rating"]) for row in rows] == [
        (2, "800.00"),
        (3, "700.00"),
        (3, "700.00"),
        (5, "600.00"),
        (6, "500.00"),
    ]
    assert rows[2]["username"] == me.username
    top = clients.player(standings[0].player).get("ladders/backgammon/leaderboard/around-me?each_side=1").json()
    assert [row["rank"] for row in top["results"]] == [1, 2]


def test_around_me_needs_a_settled_match() -> None:
    make_ladder()
    answer = clients.player(make_player()).get("ladders/backgammon/leaderboard/around-me")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_ranked")


def test_most_wins_of_the_week_in_the_ladders_own_time() -> None:
    # Seoul's Monday begins on Sunday at 15:00 UTC.
    ladder = make_ladder("seoul", time_zone="Asia/Seoul")
    one, two, three = make_players(3)
    with time_machine.travel(datetime(2026, 3, 1, 14, 59, tzinfo=UTC), tick=False):
        confirmed_match(three, one, ladder=ladder)
    with time_machine.travel(datetime(2026, 3, 1, 15, 0, tzinfo=UTC), tick=False):
        confirmed_match(one, two, ladder=ladder)
        confirmed_match(one, three, ladder=ladder)
        confirmed_match(two, three, ladder=ladder)
        confirmed_match(three, two, ladder=ladder)
    with time_machine.travel(datetime(2026, 3, 5, 12, 0, tzinfo=UTC), tick=False):
        board = clients.anonymous().get("ladders/seoul/leaderboard/most-wins").json()
        pages = list(walk(clients.anonymous(), "ladders/seoul/leaderboard/most-wins?page_size=1"))
    assert board["since"] == "2026-03-01T15:00:00Z"
    assert [(row["rank"], row["username"], row["wins"]) for row in board["results"]] == [
        (1, one.username, 2),
        (2, two.username, 1),
        (2, three.username, 1),
    ]
    assert [row for page in pages for row in page["results"]] == board["results"]


def test_a_week_across_a_change_of_clocks_begins_at_midnight() -> None:
    ladder = make_ladder("berlin", time_zone="Europe/Berlin")
    # The clocks went forward on Sunday, 29 March 2026.
    sunday = datetime(2026, 3, 29, 20, 0, tzinfo=UTC)
    assert boards.week_start(ladder, sunday).isoformat() == "2026-03-23T00:00:00+01:00"
    assert boards.week_start(ladder, sunday + timedelta(hours=2)).isoformat() == "2026-03-30T00:00:00+02:00"


@pytest.mark.parametrize("cursor", ["x", "", "a" * 499, "a" * 501, "%00", "eyJhIjoxfQ:1abc:def"])
def test_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    make_ladder()
    answer = clients.anonymous().get(f"ladders/backgammon/leaderboard?cursor={cursor}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["errors"][0]["field"] == "cursor"


def test_a_cursor_belongs_to_its_list() -> None:
    put_on_board(make_ladder(), 700, 600)
    put_on_board(make_ladder("other"), 700, 600)
    client = clients.anonymous()
    cursor = client.get("ladders/backgammon/leaderboard?page_size=1").json()["next"].partition("?")[2]
    assert client.get(f"ladders/backgammon/leaderboard?{cursor}").status_code == 200
    for other in ("ladders/other/leaderboard?", "ladders/backgammon/leaderboard?tier=gold&"):
        answer = client.get(other + cursor)
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "bad_cursor")


@pytest.mark.parametrize("size", ["0", "-1", "101", "x", "1.5", "9" * 30])
def test_a_page_size_has_bounds(size: str) -> None:
    make_ladder()
    answer = clients.anonymous().get(f"ladders/backgammon/leaderboard?page_size={size}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "page_size")
