"""The product against its own OpenAPI document: no failure of ours, and no answer that the document lacks."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import TestCase, override_settings
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok

from accounts.models import User
from common.api.throttling import CallerThrottle
from ladder.services import decay
from matchmaking.services import invites
from tests import clients
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
    """A player in the midst of everything, a game server's key, and what the document says of each operation."""

    player: User
    key: str
    operations: dict[str, Any]


def make_world() -> World:
    player, opponent = make_player("player01"), make_player("player02")
    nobody_attends_to(opponent)
    with override_settings(MATCH_OFFER_SECONDS=24 * 60 * 60):  # the offers outlast the tests
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
        "name": ["fibs-600", "fide-table", "elo", "counter-20"],
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
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = application
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    return World(player, make_service_key(), {operation.label: operation for operation in operations})


def nobody_attends_to(player: User) -> None:
    """A diamond standing on the ladder "other", charged for three nights, with a pause to come."""
    now = timezone.now()
    ladder = old_ladder("other", made=now - timedelta(days=40))
    idle(ladder, since=now - timedelta(days=30), player=player)
    decay.bring_up_to_date(ladder)
    tomorrow = now.date() + timedelta(days=1)
    operator = make_player(is_superuser=True)
    decay.declare_pause(ladder, first_day=tomorrow, last_day=tomorrow, actor=operator, reason="The hall is painted.")


handler = WSGIHandler()


def application(environ: dict[str, Any], start_response: Any) -> Any:
    """The product, with what a commit brings about: deferred constraints are checked, and what waits for it is done."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        answer = handler(environ, start_response)
    connection.check_constraints()
    return answer


OPERATIONS = sorted(
    f"{method.upper()} {path}"
    for path, operations in SchemaGenerator().get_schema(request=None, public=True)["paths"].items()
    for method in operations
)


@pytest.fixture(scope="class")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as a TestCase's own, which durable blocks may be within
    with django_db_blocker.unblock(), block:
        yield make_world()
        transaction.set_rollback(True)


@pytest.mark.django_db
class TestTheServerKeepsToItsDocument:
    """Each operation begins in the same world, made once."""

    @pytest.fixture
    def world(self, made: World, db: None, monkeypatch: pytest.MonkeyPatch) -> World:
        monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"read": "", "write": "", "service": ""})
        # After a request the server closes a connection that is within a transaction; this one is, on purpose.
        monkeypatch.setattr(connections["default"], "close_if_unusable_or_obsolete", lambda: None)
        return made

    @pytest.mark.parametrize("label", OPERATIONS)
    @pytest.mark.parametrize("caller", ["anonymous", "player", "game_server"])
    def test_operation(self, caller: str, label: str, world: World) -> None:
        headers = {
            "anonymous": {},
            "player": {"Authorization": f"Bearer {clients.token_of(world.player)}"},
            "game_server": {"X-Service-Key": world.key},
        }[caller]
        operation = world.operations[label]
        cases = operation.as_strategy() | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        answered = set()

        @given(case=cases)
        @settings(
            max_examples=settings().max_examples // 5,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
        )
        def keeps_to_it(case: Any) -> None:
            case.headers.update(headers)  # in the case as well, that it is judged by what is sent
            answered.add(case.call_and_validate(headers=headers).status_code)

        keeps_to_it()
        # The test would be worth little if everything had been refused.
        if operation.definition.raw["operationId"] in REACHED[caller]:
            assert 200 in answered


def test_the_document_is_made_without_a_warning() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=io.StringIO())


@pytest.mark.django_db
class TestDocument:
    @pytest.fixture
    def operations(self) -> dict[str, Any]:
        document = clients.anonymous(Accept=JSON).get("/api/schema").json()
        return {op["operationId"]: op for path in document["paths"].values() for op in path.values()}

    def test_what_has_to_be_reached_is_there(self, operations: dict[str, Any]) -> None:
        assert set().union(*REACHED.values()) <= set(operations)

    def test_each_operation_lists_its_problems(self, operations: dict[str, Any]) -> None:
        assert len(operations) == 37
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
        actions = {name for name in operations if name.endswith(("_match", "_result")) and not name.startswith("read")}
        for name in actions - {"preview_match"}:
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
