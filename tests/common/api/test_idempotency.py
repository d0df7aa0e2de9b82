"""The same request twice: executed once, with one answer, and both or neither in the database."""

from __future__ import annotations

import threading
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db import close_old_connections, connection
from django.test import override_settings

from common import idempotency
from common.models import IdempotencyKey
from ladder.models import Match, RatingEntry
from matchmaking.cooldowns import Fault
from matchmaking.services import penalties
from tests import clients
from tests.factories import (
    awaiting_match,
    cancelled_match,
    confirmed_match,
    make_player,
    make_service_key,
    offered_match,
    started_match,
)

KEY = {"Idempotency-Key": "5f0c"}


def url(match: Match, action: str) -> str:
    return f"matches/{match.pk}/{action}"


@pytest.mark.django_db
class TestReplay:
    def test_the_stored_answer_is_returned_unchanged(self) -> None:
        match = started_match()
        client = clients.player(match.player_one)
        body = {"winner": match.player_two.username}
        first = client.post(url(match, "report"), body, headers=KEY)
        again = client.post(url(match, "report"), body, headers=KEY)
        assert (first.status_code, again.status_code) == (200, 200)
        assert first.content == again.content
        assert first.headers["Content-Type"] == again.headers["Content-Type"] == "application/json"
        assert "Idempotency-Replayed" not in first.headers
        assert again.headers["Idempotency-Replayed"] == "true"
        assert RatingEntry.objects.count() == 2

    def test_the_stored_answer_does_not_follow_later_changes(self) -> None:
        match = offered_match()
        client = clients.player(match.player_one)
        first = client.post(url(match, "accept"), headers=KEY)
        clients.player(match.player_two).post(url(match, "decline"))
        again = client.post(url(match, "accept"), headers=KEY)
        assert again.json() == first.json()
        assert client.post(url(match, "accept")).status_code == 409

    def test_refusals_are_stored(self) -> None:
        match = started_match()
        client = clients.player(match.player_one)
        refused = client.post(url(match, "confirm"), headers=KEY)
        assert (refused.status_code, refused.json()["code"]) == (409, "nothing_to_confirm")
        clients.player(match.player_two).post(url(match, "report"), {"winner": match.player_two.username})
        again = client.post(url(match, "confirm"), headers=KEY)
        assert (again.content, again.headers["Content-Type"]) == (refused.content, "application/problem+json")

    def test_temporary_refusals_are_not_stored(self) -> None:
        player = make_player()
        _, penalty = (penalties.record(player.pk, cancelled_match(player), Fault.DECLINED) for _ in range(2))
        client, body = clients.player(player), {"ladder": "backgammon", "match_lengths": [5]}
        refused = client.post("matchmaking/tickets", body, headers=KEY)
        assert (refused.status_code, refused.json()["code"]) == (409, "queue_penalty")
        with time_machine.travel(penalty.until, tick=False):
            assert client.post("matchmaking/tickets", body, headers=KEY).status_code == 201

    def test_a_key_belongs_to_one_body_and_address(self) -> None:
        match = started_match()
        client = clients.player(match.player_one)
        client.post(url(match, "report"), {"winner": match.player_one.username}, headers=KEY)
        for path, body in (
            (url(match, "report"), {"winner": match.player_two.username}),
            (url(match, "dispute"), {}),
            (url(started_match(), "report"), {"winner": match.player_one.username}),
        ):
            answer = client.post(path, body, headers=KEY)
            assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")

    def test_each_caller_has_separate_keys(self) -> None:
        match = offered_match()
        for player in (match.player_one, match.player_two):
            assert clients.player(player).post(url(match, "accept"), headers=KEY).status_code == 200
        service = clients.game_server(make_service_key())
        body = {"winner": match.player_one.username}
        assert service.post(f"server/matches/{match.pk}/result", body, headers=KEY).json()["state"] == "confirmed"
        assert IdempotencyKey.objects.count() == 3

    def test_errors_about_the_caller_are_not_stored(self) -> None:
        stranger = clients.player(make_player())
        assert stranger.post(url(started_match(), "confirm"), headers=KEY).status_code == 403
        assert clients.anonymous().post(url(started_match(), "confirm"), headers=KEY).status_code == 401
        assert not IdempotencyKey.objects.exists()

    @pytest.mark.parametrize("key", ["", " ", "two words", "ü", "k" * 256])
    def test_a_key_is_short_and_visible(self, key: str) -> None:
        match = offered_match()
        answer = clients.player(match.player_one).post(url(match, "accept"), headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_invalid")

    def test_without_the_header_nothing_is_stored(self) -> None:
        match = offered_match()
        clients.player(match.player_one).post(url(match, "accept"))
        assert not IdempotencyKey.objects.exists()

    def test_old_answers_are_deleted(self) -> None:
        match = offered_match()
        clients.player(match.player_one).post(url(match, "accept"), headers=KEY)
        assert idempotency.delete_expired() == 0
        with override_settings(IDEMPOTENCY_KEY_HOURS=0):
            assert idempotency.delete_expired() == 1


@pytest.mark.django_db
def test_a_failure_leaves_neither_the_work_nor_the_key() -> None:
    match = awaiting_match()
    client = clients.player(match.player_two)
    with mock.patch("ladder.api.views.matches.match_shown", side_effect=RuntimeError("killed here")):
        failed = client.post(url(match, "confirm"), headers=KEY)
    assert (failed.status_code, failed.json()["code"]) == (500, "server_error")
    assert "killed" not in failed.content.decode()
    assert not IdempotencyKey.objects.exists()
    assert not RatingEntry.objects.exists()
    assert client.post(url(match, "confirm"), headers=KEY).json()["state"] == "confirmed"


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_while_the_first_runs_the_second_gets_409(self) -> None:
        match = started_match()
        client = clients.player(match.player_one)
        body = {"winner": match.player_two.username}
        running, may_finish, answers = threading.Event(), threading.Event(), []
        once = idempotency.Answer

        def slow_answer(*args: Any, **kwargs: Any) -> Any:
            running.set()
            may_finish.wait(10)
            return once(*args, **kwargs)

        def first() -> None:
            answers.append(client.post(url(match, "report"), body, headers=KEY))
            close_old_connections()
            connection.close()

        with mock.patch("common.api.idempotency.idempotency.Answer", side_effect=slow_answer):
            thread = threading.Thread(target=first)
            thread.start()
            assert running.wait(10)
            second = clients.player(match.player_one).post(url(match, "report"), body, headers=KEY)
            may_finish.set()
            thread.join(10)
        assert (second.status_code, second.json()["code"]) == (409, "idempotency_key_in_use")
        assert answers[0].status_code == 200
        third = client.post(url(match, "report"), body, headers=KEY)
        assert third.content == answers[0].content
        assert RatingEntry.objects.count() == 2

    def test_a_lost_connection_leaves_neither_the_work_nor_the_key(self) -> None:
        match = awaiting_match()
        client = clients.player(match.player_two)

        def lose_it(*args: Any, **kwargs: Any) -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

        with mock.patch("ladder.api.views.matches.match_shown", side_effect=lose_it):
            assert client.post(url(match, "confirm"), headers=KEY).status_code == 500
        connection.close()
        assert not IdempotencyKey.objects.exists()
        assert not RatingEntry.objects.exists()
        assert client.post(url(match, "confirm"), headers=KEY).json()["state"] == "confirmed"

    def test_a_settled_match_and_its_answer_are_committed_together(self) -> None:
        match = confirmed_match()
        client = clients.player(match.player_one)
        client.post(url(match, "report"), {"winner": match.player_one.username}, headers=KEY)
        assert IdempotencyKey.objects.get().status == 200
