"""What holds for every queue."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given

from matchmaking.pairing.types import Pair, Ticket, Unmatched
from matchmaking.pairing.wave import Wave, pair
from tests.matchmaking.pairing import reference
from tests.matchmaking.pairing.crowds import crowd, queues
from tests.matchmaking.pairing.reference import SYSTEM


def check(tickets: list[Ticket], wave: Wave) -> None:
    paired = [ticket.id for found in wave.pairs for ticket in (found.one, found.two)]
    stays = [unmatched.ticket.id for unmatched in wave.unmatched]
    assert sorted(paired + stays) == sorted(ticket.id for ticket in tickets)
    for found in wave.pairs:
        assert reference.may_meet(found.one, found.two)
        assert found.match_length == reference.length(found.one, found.two)
        assert (found.window_one, found.window_two) == (reference.width(found.one), reference.width(found.two))
        assert found.win_probability <= 0.5
        assert 0.5 - found.win_probability <= min(found.window_one, found.window_two) / 100


@given(queues(most=14))
def test_everyone_is_there_once_and_no_rule_is_broken(tickets):
    check(tickets, pair(tickets, SYSTEM))


@pytest.mark.parametrize("size", [129, 1000, 3000, 8000])
def test_nor_in_a_long_queue(size):
    tickets = crowd(size, seed=size)
    check(tickets, pair(tickets, SYSTEM))


def outcome(tickets: Iterable[Ticket]) -> tuple[list[Pair], list[Unmatched]]:
    wave = pair(tickets, SYSTEM)
    return wave.pairs, wave.unmatched


@given(queues(most=14))
def test_the_order_of_the_tickets_is_no_matter(tickets):
    assert outcome(tickets) == outcome(tickets[::-1]) == outcome(iter(tickets))


def test_nor_is_it_in_a_long_queue():
    tickets = crowd(1000, seed=1)
    first = outcome(tickets)
    Random(2).shuffle(tickets)
    assert outcome(tickets) == first
