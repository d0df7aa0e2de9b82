"""Ladders and previews."""

from __future__ import annotations

from typing import Any

import pytest

from tests import clients
from tests.factories import confirmed_match, make_ladder, make_player

pytestmark = pytest.mark.django_db

PREVIEW = "ladders/backgammon/preview"


def test_a_ladder_says_what_it_plays_by() -> None:
    make_ladder(time_zone="Asia/Seoul")
    shown = clients.anonymous().get("ladders/backgammon").json()
    assert (shown["start_rating"], shown["time_zone"]) == ("600.00", "Asia/Seoul")
    assert shown["match_lengths"] == [1, 3, 5, 7, 9, 11, 15, 21, 25]
    assert [(tier["name"], tier["edge"], tier["nightly_decay"]) for tier in shown["tiers"]] == [
        ("bronze", 600, 0),
        ("silver", 650, 0),
        ("gold", 700, 0),
        ("platinum", 800, 1),
        ("diamond", 900, 2),
        ("master", 1000, 3),
    ]
    assert shown["rules"]["formula"] == {
        "winner_probability": "P = 1 / (1 + 10^((loser - winner) × √length / 2000))",
        "k": "K = max(1, 5 - (experience + length) / 100)",
        "delta": "±min(200, 8 × √length × (1 - P) × K)",
    }


def test_other_rules_have_other_formulas() -> None:
    make_ladder("club", rule_set="fibs-flat-1800")
    shown = clients.anonymous().get("ladders/club").json()
    assert (shown["tiers"], shown["rules"]["parameters"]["cap"]) == ([], None)
    assert shown["rules"]["formula"]["k"] == "K = 1"
    assert shown["rules"]["formula"]["delta"] == "±4 × √length × (1 - P) × K"


def test_all_ladders() -> None:
    make_ladder("b")
    make_ladder("a")
    page = clients.anonymous().get("ladders?page_size=1").json()
    assert [ladder["slug"] for ladder in page["results"]] == ["a"]
    assert [ladder["slug"] for ladder in clients.anonymous().get(page["next"]).json()["results"]] == ["b"]


def test_an_unknown_ladder() -> None:
    for path in ("ladders/none", "ladders/none/leaderboard", "ladders/none/leaderboard/most-wins"):
        answer = clients.anonymous().get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "ladder_not_found")


class TestPreview:
    def test_it_agrees_with_what_then_happens(self) -> None:
        one, two = make_player(), make_player()
        confirmed_match(one, two, match_length=7)
        body = {"match_length": 5, "players": [{"username": one.username}, {"username": two.username}]}
        preview = clients.anonymous().post(PREVIEW, body).json()
        match = confirmed_match(one, two, match_length=5, winner=2)
        shown = clients.anonymous().get(f"matches/{match.pk}").json()
        second = preview["outcomes"][1]
        assert second["winner"] == 2
        assert second["rating_changes"] == [player["rating_change"] for player in shown["players"]]

    def test_imagined_players(self) -> None:
        make_ladder()
        body = {"match_length": 5, "players": [{}, {"rating": "600.00", "experience": 395}]}
        preview = clients.anonymous().post(PREVIEW, body).json()
        assert [p["username"] for p in preview["players"]] == [None, None]
        newcomer, old = preview["outcomes"][0]["rating_changes"]
        assert (newcomer["after"], newcomer["basis"]["k"], old["after"], old["basis"]["k"]) == (
            "644.27",
            "4.95",
            "591.06",
            "1",
        )
        assert preview["outcomes"][0]["winner_probability"] == 0.5

    def test_what_is_given_replaces_what_is_known(self) -> None:
        match = confirmed_match()
        body = {
            "match_length": 1,
            "players": [{"username": match.player_one.username, "rating": "1000.5"}, {"rating": "-3.25"}],
        }
        first, second = clients.anonymous().post(PREVIEW, body).json()["players"]
        assert (first["rating"], first["rating_display"], first["experience"]) == ("1000.50", 1001, 5)
        assert (second["rating"], second["rating_display"]) == ("-3.25", -3)

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "match_length"),
            ({"match_length": 100, "players": [{}, {}]}, "match_length"),
            ({"match_length": 0, "players": [{}, {}]}, "match_length"),
            ({"match_length": "5", "players": [{}, {}]}, "match_length"),
            ({"match_length": True, "players": [{}, {}]}, "match_length"),
            ({"match_length": 10**400, "players": [{}, {}]}, "match_length"),
            ({"match_length": 5.5, "players": [{}, {}]}, "match_length"),
            ({"match_length": 5, "players": [{}]}, "players"),
            ({"match_length": 5, "players": {}}, "players"),
            ({"match_length": 5, "players": [{}, {"rating": "1e999999"}]}, "players.1.rating"),
            ({"match_length": 5, "players": [{}, {"rating": "NaN"}]}, "players.1.rating"),
            ({"match_length": 5, "players": [{}, {"rating": "1.234"}]}, "players.1.rating"),
            ({"match_length": 5, "players": [{}, {"experience": -1}]}, "players.1.experience"),
            ({"match_length": 5, "players": [{}, {"elo": 5}]}, "players.1.elo"),
            ({"match_length": 5, "players": [{}, 7]}, "players.1"),
            ({"match_length": 5, "players": [{}, {}], "length": 5}, "length"),
        ],
    )
    def test_each_field_is_checked(self, body: Any, field: str) -> None:
        make_ladder()
        answer = clients.anonymous().post(PREVIEW, body)
        assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")
        assert field in [error["field"] for error in answer.json()["errors"]]

    def test_nobody_plays_himself(self) -> None:
        make_ladder()
        name = make_player().username
        body = {"match_length": 5, "players": [{"username": name}, {"username": name.upper()}]}
        answer = clients.anonymous().post(PREVIEW, body)
        assert (answer.status_code, answer.json()["code"]) == (422, "self_match")

    def test_an_unknown_player(self) -> None:
        make_ladder()
        body = {"match_length": 5, "players": [{"username": "nobody"}, {}]}
        answer = clients.anonymous().post(PREVIEW, body)
        assert (answer.status_code, answer.json()["code"]) == (404, "player_not_found")
