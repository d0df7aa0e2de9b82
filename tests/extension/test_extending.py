"""An app in ``INSTALLED_APPS`` is all it takes: what it adds shows up in the product, which knows nothing of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from accounts.services import suspensions
from accounts.services.roles import MODERATORS
from tests import clients
from tests.contract.documented import Components
from tests.extension.additions import COOKS
from tests.factories import make_ladder, make_player
from tests.webserver import Server, database_url, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]

EXTENDED = {"DJANGO_SETTINGS_MODULE": "tests.extension.settings"}


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: Any) -> Iterator[Server]:
    """The product as it runs, with the app."""
    with django_db_blocker.unblock(), serving(**EXTENDED) as running:
        yield running


def manage(*command: str) -> str:
    """A command of the product with the app."""
    environment = {**os.environ, "DATABASE_URL": database_url(), **EXTENDED}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=settings.BASE_DIR, env=environment, check=True, text=True, capture_output=True, timeout=120,
    ).stdout  # fmt: skip


def call(server: Server, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server.url}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def ask(server: Server, account: User, method: str, path: str, body: object = None) -> Any:
    """The answer to a player."""
    token = clients.token_of(account)
    _, answer = call(server, method, f"/api/v1/{path}", body, Authorization=f"Bearer {token}")
    return json.loads(answer) if answer else None


def document(server: Server) -> Components:
    return Components(json.loads(call(server, "GET", "/api/schema", Accept="application/vnd.oai.openapi+json")[1]))


def events_of(server: Server, account: User) -> dict[str, Any]:
    """The account's events by their kinds; each is as documented."""
    types, page = document(server), ask(server, account, "GET", "events/poll?after=0&timeout=0")
    assert types.faults("EventPage", page) == []
    return {event["kind"]: event["data"] for event in page["events"]}


def challenged(server: Server) -> tuple[User, User, str]:
    """A match that the first of two players has offered to the other."""
    one, two, ladder = make_player(), make_player(), make_ladder()
    body = {"opponent": two.username, "ladder": ladder.slug, "match_length": 5}
    return one, two, ask(server, one, "POST", "challenges", body)["id"]


def page_of(server: Server, account: User, path: str = "/admin/") -> str:
    """A page of the admin, for the account."""
    client = Client()
    client.force_login(account)
    status, content = call(server, "GET", path, Cookie=f"sessionid={client.cookies['sessionid'].value}")
    assert status == 200
    return content


def test_a_part_of_me_and_of_what_is_open_in_it(server: Server) -> None:
    player, types = make_player(), document(server)
    me = ask(server, player, "GET", "me")
    assert (me["lunch"], me["open"]) == (
        "soup", {"offers": [], "matches": [], "ticket": None, "soup": f"for {player.username}"}
    )  # fmt: skip
    assert types.faults("Me", me) == []
    assert "lunch" in types.schemas["Me"]["required"]
    assert "soup" in types.schemas["Open"]["required"]


def test_a_kind_of_event_told_by_what_follows_a_match(server: Server) -> None:
    one, two, match = challenged(server)
    ask(server, two, "POST", f"matches/{match}/accept", {})
    assert events_of(server, two)["lunch_served"] == {"dish": "soup", "reason": one.username}
    types = document(server)
    assert "lunch_served" in types.schemas["Event"]["discriminator"]["mapping"]
    assert "lunch_served" in types.names_of_frames


def test_an_addition_to_a_kind(server: Server) -> None:
    one, two, match = challenged(server)
    ask(server, two, "POST", f"matches/{match}/decline", {})
    assert events_of(server, one)["offer_declined"]["soup"] == "all of it"
    assert "soup" not in events_of(server, two)["offer_declined"]
    data = document(server).schemas["OfferDeclinedData"]
    assert "soup" in data["properties"]
    assert "soup" not in data["required"]


def test_kinds_leave_each_others_fields_alone(server: Server) -> None:
    player, operator = make_player(), make_player(is_superuser=True)

    suspensions.suspend(player.pk, actor=operator, reason="Stalling.", until=None)
    assert events_of(server, player)["account_suspended"]["reason"] == "Stalling."


def test_a_rule_that_keeps_players_busy(server: Server) -> None:
    body = {"ladder": make_ladder().slug, "match_lengths": [5]}
    refusal = ask(server, make_player("hungry"), "POST", "matchmaking/tickets", body)
    assert (refusal["status"], refusal["code"], refusal["detail"]) == (409, "at_lunch", "You are at lunch.")
    assert ask(server, make_player(), "POST", "matchmaking/tickets", body)["state"] == "waiting"


def test_what_follows_a_change_of_an_account_and_the_audit_trail(server: Server) -> None:
    player, other = make_player(), make_player()
    ask(server, player, "PUT", f"blocks/{other.username}")
    trail = page_of(server, User.objects.create_superuser("operator01"), "/admin/accounts/auditentry/")
    assert "served lunch to an account" in trail


def test_the_first_page_of_the_admin(server: Server) -> None:
    content = page_of(server, make_player(is_staff=True))
    for words in ("Lunch", "Guests", "Soups of the day", "Barley soup"):
        assert words in content
    assert "/admin/accounts/user/?is_staff__exact=0" in content


def test_roles(server: Server) -> None:
    manage("bootstrap")
    moderator = make_player(is_staff=True)
    moderator.groups.add(Group.objects.get(name=MODERATORS))
    page_of(server, moderator, "/admin/accounts/servicekey/")
    (permission,) = Group.objects.get(name=COOKS).permissions.all()
    assert permission.codename == "view_ladder"


def test_what_operators_ask(server: Server) -> None:
    _, answer = call(server, "GET", "/readyz")
    ready = json.loads(answer)
    assert (ready["status"], ready["checks"]["kitchen"]) == ("degraded", "closed")
    assert "lunch_soups 7.0" in call(server, "GET", "/metrics")[1]


def test_a_new_kind_of_event_needs_no_migration() -> None:
    assert "No changes detected" in manage("makemigrations", "--check", "--dry-run")


def test_the_document_is_made_without_a_warning() -> None:
    manage("spectacular", "--validate", "--fail-on-warn", "--file", os.devnull)
