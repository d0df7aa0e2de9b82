"""An answer is read at one moment, even if something is committed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from accounts.api import me
from accounts.models import User
from matchmaking.models import OfferSide, Ticket
from matchmaking.queries import tickets
from matchmaking.services import waves
from tests import clients
from tests.concurrency.racing import Callers
from tests.matchmaking.queueing import queued

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def read_beside_a_wave(threads: Callers, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What ``/me`` shows as open if an offer is committed between reading the offers and the ticket."""
    ticket, _other = queued(), queued()
    client = clients.player(ticket.account)
    live_ticket = tickets.live_ticket

    def read_after_the_wave(account: User) -> Ticket | None:
        assert threads.at_once(lambda: waves.pair_waiting(ticket.ladder).offers) == [1]
        return live_ticket(account)

    patch.setattr(tickets, "live_ticket", read_after_the_wave)
    shown: dict[str, Any] = client.get("me").json()["open"]
    return shown


def test_ticket_and_offer_are_read_at_one_moment(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = read_beside_a_wave(callers(1), monkeypatch)
    assert (shown["ticket"]["state"], shown["ticket"]["offer"], shown["offers"]) == ("waiting", None, [])
    # The answer did not show the offer, so it does not count as seen.
    assert {side.shown_at for side in OfferSide.objects.all()} == {None}


def test_without_the_snapshot_they_differ(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(me, "snapshot", nullcontext)
    shown = read_beside_a_wave(callers(1), monkeypatch)
    assert (shown["ticket"]["state"], shown["ticket"]["offer"], shown["offers"]) == ("offered", None, [])
