"""The running server against its own OpenAPI document: no failure of ours, and no answer that the document lacks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.management import call_command
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from accounts.models import User
from common.api.throttling import CallerThrottle
from ladder.services import decay
from matchmaking.services import invites
from tests.api import clients
from tests.decay_days import idle, old_ladder
from tests.factories import (
    awaiting_match,
    confirmed_match,
    disputed_match,
    make_ladder,
    make_player,
    make_service_key,
    offered_match,
    started_match,
)
from tests.matchmaking.queueing import queued

EXAMPLES = 20
JSON = "application/vnd.oai.openapi+json"

REACHED = {
    "anonymous": {"read_match", "read_leaderboard", "preview_match", "list_rating_entries"},
    "player": {
        "read_me",
        "change_me",
        "accept_match",
        "report_match",
        "dispute_match",
        "read_around_me",
        "list_invites",
        "stream_events",
        "poll_events",
        "make_event_token",
    },
    "game_server": {"report_server_result"},
}
CONFIG = {
    "checks": {
        # A document cannot say that the winner is one of two players, or which cursors were given out.
        "positive_data_acceptance": {"expected-statuses": ["2xx", "400", "401", "403", "404", "409", "422"]},
    },
}


@dataclass
class World:
    """A player in the midst of everything, and a server's address."""

    player: User
    values: dict[str, list[str]]
    document: dict[str, Any]
    address: str


@pytest.fixture
def world(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"read": "", "write": "", "service": ""})
    player, opponent = make_player("player01"), make_player("player02")
    nobody_attends_to(opponent)
    matches = [
        make(player, opponent)
        for make, number in (
            (disputed_match, 4),
            (offered_match, 2),
            (started_match, 2),
            (awaiting_match, 2),
            (confirmed_match, 1),
        )
        for _ in range(number)
    ]
    values = {
        "match_id": [str(match.pk) for match in matches],
        "username": [player.username, opponent.username],
        "slug": ["backgammon", "other"],
        "ticket_id": [str(queued(make_player()).pk), str(uuid4())],
        "invite_id": [
            str(invites.create(someone, make_ladder(), match_length=5)[0].pk) for someone in (player, opponent)
        ],
    }
    document = clients.anonymous(Accept=JSON).get("/api/schema").json()
    # What is generated at random exists nowhere: these are the things that do.
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["schema"] = {"type": "string", "enum": values[parameter["name"]]}
    schemas = document["components"]["schemas"]
    for body, field in (
        ("Report", "winner"),
        ("ServerResult", "winner"),
        ("PreviewPlayer", "username"),
        ("Challenge", "opponent"),
    ):
        schemas[f"{body}Request"]["properties"][field]["enum"] = values["username"]
    for body in ("TicketRequest", "Challenge", "NewInvite"):
        schemas[f"{body}Request"]["properties"]["ladder"]["enum"] = values["slug"]
    return World(player, values, document, live_server.url)


def nobody_attends_to(player: User) -> None:
    """A diamond standing on the ladder "other", charged for three nights, with a pause to come."""
    now = timezone.now()
    ladder = old_ladder("other", made=now - timedelta(days=40))
    idle(ladder, since=now - timedelta(days=30), player=player)
    decay.bring_up_to_date(ladder)
    tomorrow = now.date() + timedelta(days=1)
    operator = make_player(is_superuser=True)
    decay.declare_pause(ladder, first_day=tomorrow, last_day=tomorrow, actor=operator, reason="The hall is painted.")


@pytest.fixture
def documented(world: World) -> Any:
    schema = schemathesis.openapi.from_dict(world.document, config=SchemathesisConfig.from_dict(CONFIG))
    schema.config.update(base_url=world.address)
    return schema


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("caller", ["anonymous", "player", "game_server"])
def test_the_server_keeps_to_its_document(
    caller: str, world: World, documented: Any, subtests: pytest.Subtests
) -> None:
    headers = {
        "anonymous": {},
        "player": {"Authorization": f"Bearer {clients.token_of(world.player)}"},
        "game_server": {"X-Service-Key": make_service_key()},
    }[caller]
    answered = set()
    for found in documented.get_all_operations():
        operation = found.ok()
        cases = operation.as_strategy() | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)

        @given(case=cases)
        @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        def keeps_to_it(case: Any) -> None:
            response = case.call_and_validate(headers=headers)
            answered.add((case.operation.definition.raw["operationId"], response.status_code))

        with subtests.test(operation.label):
            keeps_to_it()
    # The test would be worth little if everything had been refused.
    assert {(name, 200) for name in REACHED[caller]} <= answered


def test_the_document_is_made_without_a_warning() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=io.StringIO())


@pytest.mark.django_db
class TestDocument:
    @pytest.fixture
    def operations(self) -> dict[str, Any]:
        document = clients.anonymous(Accept=JSON).get("/api/schema").json()
        return {op["operationId"]: op for path in document["paths"].values() for op in path.values()}

    def test_each_operation_lists_its_problems(self, operations: dict[str, Any]) -> None:
        assert len(operations) == 35
        for operation in operations.values():
            assert {"401", "406", "429", "500"} <= set(operation["responses"])
            for status, response in operation["responses"].items():
                if status >= "400":
                    assert list(response["content"]) == ["application/problem+json"]
        assert "Retry-After" in operations["read_me"]["responses"]["429"]["headers"]

    @pytest.mark.parametrize(
        "operation", ["create_ticket", "accept_match", "challenge", "rematch", "create_invite", "accept_invite"]
    )
    def test_what_a_suspended_player_is_told(self, operations: dict[str, Any], operation: str) -> None:
        assert "Retry-After" in operations[operation]["responses"]["403"]["headers"]

    def test_each_deed_takes_an_idempotency_key(self, operations: dict[str, Any]) -> None:
        deeds = {name for name in operations if name.endswith(("_match", "_result")) and not name.startswith("read")}
        for name in deeds - {"preview_match"}:
            assert "Idempotency-Key" in [parameter["name"] for parameter in operations[name]["parameters"]]
            assert {"409", "422"} <= set(operations[name]["responses"])

    def test_each_body_has_an_example(self, operations: dict[str, Any]) -> None:
        for operation in operations.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                assert content["examples"]

    def test_who_may_call_is_said(self, operations: dict[str, Any]) -> None:
        assert operations["read_me"]["security"] == [{"player": []}]
        assert operations["report_server_result"]["security"] == [{"game_server": []}]
        assert {} in operations["list_ladders"]["security"]

    def test_the_page_about_it_loads_nothing_from_elsewhere(self) -> None:
        page = clients.anonymous(Accept="text/html").get("/api/docs").content.decode()
        assert "drf_spectacular_sidecar" in page
        assert "https://" not in page
