"""Every ticket that stays says why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matchmaking.pairing.types import Met, Reason, Ticket
from matchmaking.pairing.wave import pair
from tests.matchmaking.pairing.reference import SYSTEM, ticket

ME = ticket("player01", "600")
RECENT = {"player01": Met(60, 1)}
BLOCKED = frozenset({"player01"})


def reasons(*tickets: Ticket) -> dict[str, Reason]:
    return {stays.ticket.id: stays.reason for stays in pair(tickets, SYSTEM).unmatched}


def test_an_empty_queue():
    wave = pair([], SYSTEM)
    assert (wave.pairs, wave.unmatched) == ([], [])


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ([], Reason.ALONE),
        ([ticket("player02", lengths=[7])], Reason.NO_COMMON_LENGTH),
        ([ticket("player02", "900"), ticket("player03", lengths=[7])], Reason.OUT_OF_REACH),
        ([ticket("player02", blocked=BLOCKED), ticket("player03", "900")], Reason.ONLY_BLOCKED),
        ([ticket("player02", met=RECENT)], Reason.ONLY_RECENT),
        ([ticket("player02", met=RECENT), ticket("player03", "900", blocked=BLOCKED)], Reason.ONLY_RECENT),
        ([ticket("player02", waiting=10), ticket("player03", waiting=10)], Reason.ODD_ONE_OUT),
    ],
)
def test_what_stood_in_the_way(others: list[Ticket], reason: Reason):
    assert reasons(ME, *others)[ME.id] == reason


def test_of_two_tickets_of_one_player_the_one_that_waited_longer_counts():
    again, other = replace(ME, id="t-again", waiting=8), ticket("player02")
    wave = pair([ME, again, other, ticket("player03")], SYSTEM)
    assert reasons(ME, again) == {"t-again": Reason.ALONE, ME.id: Reason.DUPLICATE}
    assert ME not in [it for p in wave.pairs for it in (p.one, p.two)]


@pytest.mark.parametrize("size", [2, 400])
def test_only_recent_opponents_in_a_long_queue(size: int):
    others = [ticket(f"player{n:03}", "600", lengths=[5, 7], met=RECENT) for n in range(100, 100 + size)]
    assert reasons(ME, *others)[ME.id] == Reason.ONLY_RECENT
