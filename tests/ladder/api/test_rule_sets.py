"""What a ladder can play by, and the calculator."""

from __future__ import annotations

import pytest

from ladder.rules import rule_sets
from tests import clients

pytestmark = pytest.mark.django_db


def calculate(name: str, *players: dict[str, object], **more: object):
    return clients.anonymous().post(f"rule-sets/{name}/preview", {"match_length": 1, "players": players, **more})


def test_all_rule_sets_with_what_a_ladder_may_choose() -> None:
    listed = {rules["name"]: rules for rules in clients.anonymous().get("rule-sets").json()["results"]}
    assert list(listed) == list(rule_sets.NAMES)
    assert listed["elo"]["options"] == [
        {"name": "k", "default": 32, "least": 1, "most": 200},
        {"name": "scale", "default": 400, "least": 50, "most": 4000},
    ]
    assert (listed["fibs-600"]["start_rating"], listed["fibs-600"]["parameters"]["cap"]) == ("600.00", 200)
    assert [name for name, rules in listed.items() if not rules["draws"]] == [
        "fibs-600", "fibs-classic", "fibs-flat-1800",
    ]  # fmt: skip


def test_all_three_outcomes_where_matches_can_be_drawn() -> None:
    won, lost, drawn = calculate("elo-32", {}, {"rating": "1300.00"}).json()["outcomes"]
    assert [it["winner"] for it in (won, lost, drawn)] == [1, 2, None]
    assert [it["rating_changes"][0]["after"] for it in (won, lost, drawn)] == ["1220.00", "1188.00", "1204.00"]
    assert won["winner_probability"] == pytest.approx(0.359935)
    assert lost["winner_probability"] == pytest.approx(0.640065)
    assert drawn["winner_probability"] is None


def test_a_system_without_a_win_probability_says_none() -> None:
    won, *_ = calculate("counter-20", {}, {}).json()["outcomes"]
    assert (won["winner_probability"], won["rating_changes"][0]["win_probability"]) == (None, None)
    assert won["rating_changes"][0]["basis"] == {"opponent_rating": "800.00", "ending": "played"}


def test_what_a_system_asks_of_a_player_counts() -> None:
    new, old = {"rating": "1500.00", "games": 0}, {"rating": "1500.00", "games": 30}
    master, junior = {**old, "peak": "2400.00"}, {**old, "is_junior": True}
    ks = [
        calculate("fide", player, old).json()["outcomes"][0]["rating_changes"][0]["basis"]["k"]
        for player in (new, old, master, junior)
    ]
    assert ks == ["40", "20", "10", "40"]


def test_constants_that_the_rule_set_leaves_open() -> None:
    changed = calculate("elo", {}, {}, options={"k": 24}).json()["outcomes"][0]["rating_changes"][0]
    assert changed["delta"] == "12.00"


@pytest.mark.parametrize(
    ("name", "more", "status", "code"),
    [
        ("whist", {}, 404, "unknown_rules"),
        ("elo", {"options": {"k": 0}}, 422, "bad_option"),
        ("elo", {"options": {"stake": 4}}, 422, "bad_option"),
        ("elo", {"options": {"k": "4"}}, 422, "validation_failed"),
        ("elo", {"match_length": 100}, 422, "validation_failed"),
        ("elo", {"players": [{}]}, 422, "validation_failed"),
        ("elo", {"players": [{"username": "player01"}, {}]}, 422, "validation_failed"),
    ],
)
def test_what_is_refused(name: str, more: dict[str, object], status: int, code: str) -> None:
    response = calculate(name, {}, {}, **more)
    assert (response.status_code, response.json()["code"]) == (status, code)
