"""A game client in a browser: the queue, the offer as a live event, and the rating that moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from accounts.models import User
from matchmaking.tasks import pair_waiting
from tests import clients
from tests.factories import make_ladder, make_player, standing_of
from tests.webserver import serving

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KINDS = ["match_offered", "offer_accepted", "match_started", "result_reported", "match_confirmed"]

# What a client does: sign in is done, here is the access token.
CLIENT = """
async ({token, kinds}) => {
  window.call = async (method, path, body) => {
    const answer = await fetch(`/api/v1/${path}`, {
      method, headers: {Authorization: `Bearer ${token}`, "Content-Type": "application/json"},
      body: body ? JSON.stringify(body) : undefined,
    });
    return await answer.json();
  };
  const me = await call("GET", "me");
  const stream = await call("POST", "events/token");
  window.heard = {};
  window.source = new EventSource(`/api/v1/events?after=${me.last_event}&token=${stream.token}`);
  for (const kind of kinds)
    source.addEventListener(kind, (event) => { heard[kind] = JSON.parse(event.data); });
  await new Promise((resolve) => source.addEventListener("open", resolve));
}
"""


@pytest.fixture
def client(browser: Browser) -> Iterator[Page]:
    with serving() as server:
        context = browser.new_context(base_url=server.url)
        page = context.new_page()
        page.goto("/healthz")
        yield page
        context.close()


def hears(page: Page, kind: str) -> Any:
    """The data of the event, once it is there."""
    page.wait_for_function("kind => window.heard[kind]", arg=kind, timeout=30_000)
    return page.evaluate("kind => window.heard[kind].data", kind)


def call(page: Page, method: str, path: str, body: object = None) -> Any:
    return page.evaluate("([method, path, body]) => call(method, path, body)", [method, path, body])


def test_an_offer_comes_is_accepted_and_the_rating_moves(client: Page) -> None:
    make_ladder()
    player, opponent = make_player("player01"), make_player("player02")
    other = clients.player(opponent)
    client.evaluate(CLIENT, {"token": clients.token_of(player), "kinds": KINDS})

    wish = {"ladder": "backgammon", "match_lengths": [5]}
    assert call(client, "POST", "matchmaking/tickets", wish)["state"] == "waiting"
    assert other.post("matchmaking/tickets", wish).status_code == 201
    assert pair_waiting() == 1
    offer = hears(client, "match_offered")
    assert (offer["opponent"], offer["win_probability"]) == ("player02", 0.5)

    match = f"matches/{offer['match']}"
    assert call(client, "POST", f"{match}/accept")["state"] == "offered"
    assert hears(client, "offer_accepted")["by"] == "player01"
    assert other.post(f"{match}/accept").json()["state"] == "in_progress"
    hears(client, "match_started")

    assert call(client, "POST", f"{match}/report", {"winner": "player01"})["state"] == "awaiting_confirmation"
    assert other.post(f"{match}/confirm").json()["state"] == "confirmed"
    moved = hears(client, "match_confirmed")
    assert moved["winner"] == "player01"
    assert moved["rating"] == {"before": "600.00", "delta": "44.27", "after": "644.27"}
    assert rating_of(player) == "644.27"


def rating_of(player: User) -> str:
    return str(standing_of(player).rating)
