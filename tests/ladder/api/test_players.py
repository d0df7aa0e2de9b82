"""Players, their standings and their ledgers."""

from __future__ import annotations

import pytest

from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from tests import clients
from tests.factories import confirmed_match, make_ladder, make_moderator, make_player, make_players, offered_match

pytestmark = pytest.mark.django_db


def test_a_player_and_where_he_stands() -> None:
    one, two, three = make_players(3)
    confirmed_match(one, two)
    confirmed_match(three, two, match_length=1)
    confirmed_match(two, one, ladder=make_ladder("other"))
    shown = clients.anonymous().get(f"players/{two.username.upper()}").json()
    assert shown["username"] == two.username
    first, other = shown["standings"]
    assert (first["ladder"], first["rank"], first["tier"], first["streak"]) == ("backgammon", 3, "bronze", -2)
    assert (other["ladder"], other["rank"], other["wins"], other["peak_rating"]) == ("other", 1, 1, "644.27")
    assert "email" not in shown


def test_whoever_has_not_played_has_no_rank() -> None:
    match = offered_match()
    (standing,) = clients.anonymous().get(f"players/{match.player_one.username}").json()["standings"]
    assert (standing["rank"], standing["rating"], standing["last_ranked_at"]) == (None, "600.00", None)


@pytest.mark.parametrize("name", ["nobody", "%00", "a" * 5000, "%ED%A0%80", "a%2Fb", "..", "%F0%9F%98%80", "р%D0%B0"])
def test_an_unknown_name_is_not_found(name: str) -> None:
    for path in (f"players/{name}", f"players/{name}/matches", f"players/{name}/rating-entries"):
        answer = clients.anonymous().get(path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")


def test_the_ledger_explains_each_entry() -> None:
    match = confirmed_match()
    moderator = make_moderator()
    rulings.overturn_match(
        match.pk, actor=moderator, winner=2, reason_code=ReasonCode.WRONG_REPORT, reason="The log says otherwise."
    )
    url = f"players/{match.player_one.username}/rating-entries"
    anew, reversal, settlement = clients.anonymous().get(url).json()["results"]

    assert (settlement["sequence"], settlement["kind"], settlement["won"]) == (1, "settlement", True)
    assert settlement["explanation"] == "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27"
    assert settlement["settlement"]["explanation"]["after"] == "600.00 + 44.27 = 644.27"
    assert (settlement["match"], settlement["opponent"]) == (str(match.pk), match.player_two.username)
    assert settlement["rule_set"] == {"name": "fibs-600", "version": 1}

    assert (reversal["sequence"], reversal["kind"], reversal["reverses"]) == (2, "reversal", 1)
    assert reversal["explanation"] == "takes back entry 1: -(+44.27) = -44.27"
    assert (reversal["reason"], reversal["settlement"]) == ("The log says otherwise.", None)
    assert (reversal["before"], reversal["after"], reversal["experience_after"]) == ("644.27", "600.00", 0)

    assert (anew["sequence"], anew["follows"], anew["won"], anew["delta"]) == (3, 2, False, "-44.27")


def test_histories_can_be_read_of_one_ladder() -> None:
    one, two = make_players(2)
    here = confirmed_match(one, two)
    there = confirmed_match(one, two, ladder=make_ladder("other"))
    client = clients.anonymous()
    at = f"players/{one.username}"
    assert [m["id"] for m in client.get(f"{at}/matches").json()["results"]] == [str(there.pk), str(here.pk)]
    assert [m["id"] for m in client.get(f"{at}/matches?ladder=other").json()["results"]] == [str(there.pk)]
    assert [e["ladder"] for e in client.get(f"{at}/rating-entries").json()["results"]] == ["other", "backgammon"]
    assert [e["match"] for e in client.get(f"{at}/rating-entries?ladder=backgammon").json()["results"]] == [
        str(here.pk)
    ]
    assert client.get(f"{at}/matches?ladder=none").json()["code"] == "ladder_not_found"
    assert client.get(f"{at}/matches?ladder=%00").status_code == 400


def test_histories_come_in_pages() -> None:
    one, two = make_players(2)
    matches = [confirmed_match(one, two, match_length=1) for _ in range(5)]
    client = clients.anonymous()
    for path, key, expected in (
        ("matches", "id", [str(match.pk) for match in reversed(matches)]),
        ("rating-entries", "sequence", [5, 4, 3, 2, 1]),
    ):
        address, seen = f"players/{one.username}/{path}?page_size=2", []
        while address:
            page = client.get(address).json()
            seen += [row[key] for row in page["results"]]
            address = page["next"]
        assert seen == expected


def test_a_deleted_players_history_stays() -> None:
    match = confirmed_match()
    clients.player(match.player_one).delete("me")
    shown = clients.anonymous().get(f"matches/{match.pk}").json()
    neutral = shown["players"][0]["username"]
    assert neutral.startswith("deleted-")
    assert clients.anonymous().get(f"players/{match.player_one.username}").status_code == 404
    assert clients.anonymous().get(f"players/{neutral}").json()["standings"][0]["wins"] == 1
    make_player(match.player_one.username)  # whose name is free again
