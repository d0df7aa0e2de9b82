"""How often an answer asks the database: as often for many rows as for few."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from common import sql
from tests import clients
from tests.contract.addresses import ask, known
from tests.factories import make_player
from tests.scenes import EVERYONE, Read, Scene, of_apps, undone

ALL = of_apps()
ADDRESSES = {it.address: it for scenes in ALL.values() for it in scenes.addresses}
READS = [(app, read) for app, scenes in ALL.items() for read in scenes.reads]
CALLER = 2
"""To find out who calls asks for the session and for the account."""


def test_every_read_is_counted() -> None:
    reads = {address for address in known() if address.startswith("GET ")}
    assert {read.address.partition("?")[0] for _, read in READS} == reads


def expected(app: str, read: Read) -> int:
    """What the app asks, and what the others ask that fill the same answer."""
    parts = {
        name: next((it for it in scenes.reads if it.address == read.address), None) for name, scenes in ALL.items()
    }
    return read.statements + sum(part.statements for name, part in parts.items() if part and name != app)


def asked(client: clients.Client, address: str, scene: Scene) -> int:
    """How many statements the answer took: those that Django wrote, and those written by hand."""
    with CaptureQueriesContext(connection) as queries, patch.object(sql, "_run", wraps=sql._run) as by_hand:
        assert ask(client, address, scene).status_code < 400
    return len(queries) + by_hand.call_count


def populated(rounds: int) -> User:
    """A player with so many of everything."""
    player = make_player()
    for _ in range(rounds):
        for scenes in ALL.values():
            scenes.grow(player)
    return player


@pytest.mark.django_db
@pytest.mark.parametrize("rounds", [1, 6])
def test_an_answer_asks_no_more_for_more_rows(rounds: int, subtests: pytest.Subtests) -> None:
    player = populated(rounds)
    for app, read in READS:
        address = read.address.partition("?")[0]
        with subtests.test(read.name), undone():
            scene = (read.make or ADDRESSES[address].make)(player)
            statements = expected(app, read)
            if ADDRESSES[address].who == EVERYONE:
                assert asked(clients.anonymous(), read.address, scene) == statements
            for_the_player = CALLER + read.signed_in if address.startswith("GET /api/") else 0
            assert asked(clients.player(player), read.address, scene) == statements + for_the_player
