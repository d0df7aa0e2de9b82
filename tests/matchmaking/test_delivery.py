"""Answers of the API that deliver an offer: after them, not answering the offer is a fault."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.models import Match
from ladder.services.matches import offers
from matchmaking.models import OfferSide, Ticket
from tests import clients, factories
from tests.matchmaking.queueing import paired

pytestmark = pytest.mark.django_db


def is_shown(match: Match, seat: int) -> bool:
    return OfferSide.objects.get(offer=match.pk, seat=seat).shown_at is not None


def ask(client: clients.Client, match: Match, address: str, method: str = "get") -> Any:
    ticket = Ticket.objects.get(offer_sides__offer=match.pk, account=match.player_one)
    values = {"match": match.pk, "ticket": ticket.pk, "player": match.player_one.username}
    return getattr(client, method)(address.format(**values))


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "me"),
        ("head", "me"),
        ("head", "players/{player}/matches"),
        ("patch", "me"),
        ("get", "matches/{match}"),
        ("get", "players/{player}/matches"),
        ("get", "matchmaking/tickets/{ticket}"),
        ("post", "matchmaking/tickets/{ticket}/heartbeat"),
    ],
)
def test_an_answer_that_shows_an_offer_delivers_it(method: str, address: str) -> None:
    match = paired()
    answer = ask(clients.player(match.player_one), match, address, method)
    assert answer.status_code == 200
    # HEAD also counts, because the length of an answer depends on the opponent's name.
    assert method == "head" or str(match.pk) in answer.content.decode()
    assert (is_shown(match, 1), is_shown(match, 2)) == (True, False)


def test_answers_to_other_callers_deliver_nothing() -> None:
    match = paired()
    for client in (clients.anonymous(), clients.player(factories.make_player())):
        ask(client, match, "players/{player}/matches")
        ask(client, match, "matches/{match}")
    assert (is_shown(match, 1), is_shown(match, 2)) == (False, False)


def test_delivered_is_set_when_the_offer_ends() -> None:
    match = paired()
    sides = OfferSide.objects.filter(offer=match.pk).order_by("seat")
    assert [side.delivered for side in sides] == [None, None]
    offers.accept(match.pk, match.player_one)
    offers.decline(match.pk, match.player_one)
    assert [side.delivered for side in sides.all()] == [True, False]
