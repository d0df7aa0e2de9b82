"""A match by the API, from the offer to the settled result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import ServiceKey
from ladder.models import Match
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from tests import clients
from tests.factories import (
    awaiting_match,
    cancelled_match,
    confirmed_match,
    disputed_match,
    make_moderator,
    make_player,
    make_players,
    make_service_key,
    offered_match,
    started_match,
)

pytestmark = pytest.mark.django_db


def test_a_first_match_from_offer_to_rating() -> None:
    one, two = make_players(2)
    match = offered_match(one, two, match_length=5)
    at, first, second = f"matches/{match.pk}", clients.player(one), clients.player(two)

    offered = first.get(at).json()
    assert (offered["state"], offered["rated"], offered["expires_at"][-1]) == ("offered", True, "Z")
    assert first.post(f"{at}/accept").json()["players"][0] | {"report": None} == {
        "username": one.username,
        "accepted": True,
        "report": None,
        "rating_change": None,
    }
    assert second.post(f"{at}/accept").json()["state"] == "in_progress"

    reported = first.post(f"{at}/report", {"winner": one.username, "loser_score": 3}).json()
    assert (reported["state"], reported["winner"]) == ("awaiting_confirmation", None)
    assert reported["players"][0]["report"]["loser_score"] == 3
    assert reported["confirm_by"]

    confirmed = second.post(f"{at}/confirm").json()
    assert confirmed["state"] == "confirmed"
    assert (confirmed["winner"], confirmed["loser_score"], confirmed["ending"]) == (one.username, 3, "played")
    assert confirmed["confirmed_by"] == "opponent"
    assert confirmed["settled_at"].endswith("Z")
    won, lost = (player["rating_change"] for player in confirmed["players"])
    assert (won["before"], won["delta"], won["after"], won["after_display"]) == ("600.00", "44.27", "644.27", 644)
    assert (lost["before"], lost["delta"], lost["after"], lost["after_display"]) == ("600.00", "-44.27", "555.73", 556)
    assert (won["basis"]["k"], won["experience_before"], won["experience_after"]) == ("4.95", 0, 5)
    assert (won["win_probability"], lost["win_probability"]) == (0.5, 0.5)
    assert won["explanation"] == {
        "winner_probability": "1 / (1 + 10^((600.00 - 600.00) × √5 / 2000)) = 0.500000",
        "k": "max(1, 5 - (0 + 5) / 100) = 4.95",
        "delta": "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27",
        "after": "600.00 + 44.27 = 644.27",
    }
    assert first.get(at).json() == confirmed
    assert second.post(f"{at}/confirm").json() == confirmed


def test_a_reported_loss_settles_at_once() -> None:
    match = started_match()
    answer = clients.player(match.player_one).post(f"matches/{match.pk}/report", {"winner": match.player_two.username})
    assert answer.status_code == 200
    assert answer.json()["state"] == "confirmed"
    assert answer.json()["players"][1]["rating_change"]["after"] == "644.27"


def test_declining_cancels() -> None:
    match = offered_match()
    shown = clients.player(match.player_two).post(f"matches/{match.pk}/decline").json()
    assert (shown["state"], shown["rated"], shown["unrated_reason"]) == ("cancelled", False, "declined")
    assert shown["expires_at"] is None


@pytest.mark.parametrize("make", [offered_match, cancelled_match])
def test_until_a_match_starts_only_its_players_and_the_staff_see_it(make: Callable[[], Match]) -> None:
    match = make()
    readers = {
        "one": (clients.player(match.player_one), True),
        "two": (clients.player(match.player_two), True),
        "staff": (clients.player(make_player(is_staff=True)), True),
        "another": (clients.player(make_player()), False),
        "anybody": (clients.anonymous(), False),
    }
    for reader, (client, may) in readers.items():
        answer = client.get(f"matches/{match.pk}")
        assert (answer.status_code, reader) == (200 if may else 404, reader)
        listed = client.get(f"players/{match.player_one.username}/matches").json()["results"]
        assert ([shown["id"] for shown in listed], reader) == ([str(match.pk)] if may else [], reader)


def test_a_dispute_waits_for_a_moderator_whose_words_both_read() -> None:
    match = awaiting_match()
    at = f"matches/{match.pk}"
    disputed = clients.player(match.player_two).post(f"{at}/dispute", {"text": "I won."}).json()
    assert (disputed["state"], disputed["settled_at"]) == ("disputed", None)
    rulings.rule_match(
        match.pk, actor=make_moderator(), winner=None, reason_code=ReasonCode.EVIDENCE, reason="The log is lost."
    )
    ruled = clients.player(match.player_one).get(at).json()
    assert (ruled["state"], ruled["unrated_reason"], ruled["ruling"]) == ("voided", "evidence", "The log is lost.")


def test_a_voided_settlement_is_no_longer_shown_as_a_change() -> None:
    match = confirmed_match()
    reason = {"reason_code": ReasonCode.CHEATING, "reason": "An engine played."}
    moderator = make_moderator()
    rulings.overturn_match(match.pk, actor=moderator, winner=2, **reason)  # type: ignore[arg-type]
    corrected = clients.anonymous().get(f"matches/{match.pk}").json()
    assert corrected["winner"] == match.player_two.username
    assert [p["rating_change"]["delta"] for p in corrected["players"]] == ["-44.27", "44.27"]
    rulings.overturn_match(match.pk, actor=moderator, winner=None, **reason)  # type: ignore[arg-type]
    voided = clients.anonymous().get(f"matches/{match.pk}").json()
    assert [p["rating_change"] for p in voided["players"]] == [None, None]


def test_arranged_matches_say_why_they_do_not_count() -> None:
    match = confirmed_match(origin=Origin.REMATCH)
    shown = clients.anonymous().get(f"matches/{match.pk}").json()
    assert (shown["rated"], shown["unrated_reason"], shown["settled_at"]) == (False, "rematch", None)


def test_reports_are_for_the_two_players_and_staff() -> None:
    match = disputed_match()

    def reports(client: clients.Client) -> list[Any]:
        return [player["report"] for player in client.get(f"matches/{match.pk}").json()["players"]]

    for reader in (match.player_one, match.player_two, make_moderator()):
        assert [report["winner"] for report in reports(clients.player(reader))] == [
            match.player_one.username,
            match.player_two.username,
        ]
    for stranger in (clients.anonymous(), clients.player(make_player()), clients.game_server(make_service_key())):
        assert reports(stranger) == [None, None]


def test_a_players_last_word_is_the_report_shown() -> None:
    match = awaiting_match(claimant=1)
    client = clients.player(match.player_one)
    shown = client.post(f"matches/{match.pk}/report", {"winner": match.player_two.username}).json()
    assert shown["players"][0]["report"]["winner"] == match.player_two.username


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("confirm", {}, 409, "own_report"),
        ("dispute", {}, 409, "own_report"),
        ("accept", {}, 200, None),
        ("decline", {}, 409, "match_awaiting_confirmation"),
        ("report", {"winner": "nobody"}, 422, "winner_not_in_match"),
        ("report", {"winner": "player", "loser_score": 5}, 422, "loser_score_out_of_range"),
    ],
)
def test_refusals_carry_the_services_code(path: str, body: Any, status: int, code: str | None) -> None:
    match = awaiting_match(claimant=1)
    if body.get("winner") == "player":
        body = {**body, "winner": match.player_one.username}
    answer = clients.player(match.player_one).post(f"matches/{match.pk}/{path}", body)
    assert (answer.status_code, answer.json().get("code")) == (status, code)


def test_strangers_are_refused() -> None:
    match = started_match()
    answer = clients.player(make_player()).post(f"matches/{match.pk}/report", {"winner": match.player_one.username})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_your_match")


class TestGameServer:
    def test_its_result_settles_at_once_and_twice_is_once(self) -> None:
        match = started_match()
        client = clients.game_server(make_service_key())
        body = {"winner": match.player_one.username, "loser_score": 2, "ending": "resigned"}
        answer = client.post(f"server/matches/{match.pk}/result", body).json()
        assert (answer["confirmed_by"], answer["ending"]) == ("server", "resigned")
        assert answer["players"][0]["rating_change"]["delta"] == "44.27"
        assert answer["players"][0]["report"] is None
        assert client.post(f"server/matches/{match.pk}/result", body).json() == answer
        contrary = client.post(f"server/matches/{match.pk}/result", {"winner": match.player_two.username})
        assert (contrary.status_code, contrary.json()["code"]) == (409, "match_confirmed")

    @pytest.mark.parametrize("reason", ["nobody_moved", "server_failed"])
    def test_it_voids_what_was_not_played(self, reason: str) -> None:
        match = started_match()
        client = clients.game_server(make_service_key())
        answer = client.post(f"server/matches/{match.pk}/result", {"void_reason": reason}).json()
        assert (answer["state"], answer["unrated_reason"]) == ("voided", reason)

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({}, "winner_or_void_reason"),
            ({"winner": "a", "void_reason": "nobody_moved"}, "winner_or_void_reason"),
            ({"void_reason": "nobody_moved", "loser_score": 2}, "void_has_no_result"),
            ({"void_reason": "tired"}, "invalid_choice"),
        ],
    )
    def test_it_gives_either_a_result_or_a_reason(self, body: Any, code: str) -> None:
        match = started_match()
        answer = clients.game_server(make_service_key()).post(f"server/matches/{match.pk}/result", body)
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)

    def test_its_key_needs_the_scope(self) -> None:
        match = started_match()
        client = clients.game_server(make_service_key())
        ServiceKey.objects.update(scopes=[])
        answer = client.post(f"server/matches/{match.pk}/result", {"winner": match.player_one.username})
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")

    def test_the_settlement_is_shown_without_asking_the_database_again(
        self, django_assert_max_num_queries: Any
    ) -> None:
        match = started_match()
        client = clients.game_server(make_service_key())
        # The key, the note of its first use, a savepoint and its release; the settling statements go past the count.
        with django_assert_max_num_queries(4):
            answer = client.post(f"server/matches/{match.pk}/result", {"winner": match.player_one.username})
        assert answer.json()["players"][1]["rating_change"]
