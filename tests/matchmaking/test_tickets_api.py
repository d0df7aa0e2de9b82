"""The API of the queue."""

from __future__ import annotations

import pytest

from accounts.models import User
from matchmaking.models import OfferSide, Ticket
from matchmaking.services import waves
from tests import clients
from tests.factories import make_ladder, make_player
from tests.matchmaking.queueing import paired, queued

pytestmark = pytest.mark.django_db

TICKETS = "matchmaking/tickets"


@pytest.fixture
def player() -> User:
    return make_player("player01")


@pytest.fixture
def client(player: User) -> clients.Client:
    make_ladder()
    return clients.player(player)


def test_joining_and_leaving_the_queue(client: clients.Client) -> None:
    made = client.post(TICKETS, {"ladder": "backgammon", "match_lengths": [7, 5]})
    assert made.status_code == 201
    ticket = made.json()
    assert ticket["match_lengths"] == [5, 7]
    assert (ticket["state"], ticket["offer"]) == ("waiting", None)
    again = client.post(TICKETS, {"ladder": "backgammon", "match_lengths": [1]})
    assert (again.status_code, again.json()["id"]) == (200, ticket["id"])
    address = f"{TICKETS}/{ticket['id']}"
    assert client.post(f"{address}/heartbeat").json()["silent_at"] > ticket["silent_at"]
    assert client.get("me").json()["open"]["ticket"]["id"] == ticket["id"]
    gone = client.delete(address)
    assert (gone.status_code, gone.json()["state"]) == (200, "cancelled")
    assert client.delete(address).json() == gone.json()
    assert client.get("me").json()["open"]["ticket"] is None


def test_an_offer_is_shown_in_the_ticket_and_in_me(client: clients.Client, player: User) -> None:
    match = paired(player)
    side = OfferSide.objects.get(ticket__account=player)
    assert side.shown_at is None
    me = client.get("me").json()
    assert me["last_event"] == 1
    assert me["open"]["ticket"]["state"] == "offered"
    assert me["open"]["ticket"]["offer"]["id"] == str(match.pk) == me["open"]["offers"][0]["id"]
    side.refresh_from_db()
    assert side.shown_at is not None
    accepted = client.post(f"matches/{match.pk}/accept")
    assert accepted.json()["state"] == "offered"


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"match_lengths": [5]}, "ladder", "required"),
        ({"ladder": "backgammon"}, "match_lengths", "required"),
        ({"ladder": "backgammon", "match_lengths": []}, "match_lengths", "min_length"),
        ({"ladder": "backgammon", "match_lengths": [4]}, "match_lengths", "match_length_not_offered"),
        ({"ladder": "backgammon", "match_lengths": ["5"]}, "match_lengths.0", "invalid"),
        ({"ladder": "backgammon", "match_lengths": [100]}, "match_lengths.0", "max_value"),
        ({"ladder": "backgammon", "match_lengths": [5], "rating": 9}, "rating", "unknown_field"),
    ],
)
def test_invalid_requests(client: clients.Client, body: object, field: str, code: str) -> None:
    answer = client.post(TICKETS, body)
    assert answer.status_code == 422
    assert [(error["field"], error["code"]) for error in answer.json()["errors"]] == [(field, code)]
    assert not Ticket.objects.exists()


def test_an_unknown_ladder(client: clients.Client) -> None:
    assert client.post(TICKETS, {"ladder": "nowhere", "match_lengths": [5]}).status_code == 404


def test_a_penalty_has_an_end(client: clients.Client, player: User) -> None:
    for _ in range(2):
        match = paired(player)
        assert client.post(f"matches/{match.pk}/decline").status_code == 200
        other = Ticket.objects.get(state="waiting")
        clients.player(other.account).delete(f"{TICKETS}/{other.pk}")
    answer = client.post(TICKETS, {"ladder": "backgammon", "match_lengths": [5]})
    assert answer.status_code == 409
    assert answer.json()["code"] == "queue_penalty"
    assert answer.json()["until"].endswith("Z")
    assert 100 < int(answer.headers["Retry-After"]) <= 120
    assert client.get("me").json()["queue_again_at"] == answer.json()["until"]


def test_another_players_ticket_is_not_found(client: clients.Client) -> None:
    ticket = queued()
    address = f"{TICKETS}/{ticket.pk}"
    for answer in (client.get(address), client.delete(address), client.post(f"{address}/heartbeat")):
        assert (answer.status_code, answer.json()["code"]) == (404, "ticket_not_found")
    ticket.refresh_from_db()
    assert ticket.state == "waiting"


def test_a_new_ticket_starts_a_wave(
    client: clients.Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("matchmaking.api.views.tickets.run_soon", lambda task: asked.append(task.name))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        client.post(TICKETS, {"ladder": "backgammon", "match_lengths": [5]})
        client.post(TICKETS, {"ladder": "backgammon", "match_lengths": [5]})
    assert asked == ["matchmaking.tasks.pair_waiting"]
    queued()
    assert waves.pair_all_ladders() == 1
