"""Each rule of pairing by its examples."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.rules.rule_sets import QUEUE_LENGTHS
from matchmaking.pairing import lengths, window
from matchmaking.pairing.opponents import Meeting, meeting
from matchmaking.pairing.types import Met, Pair, Relaxed, Ticket
from matchmaking.pairing.wave import pair
from tests.matchmaking.pairing.reference import SYSTEM, ticket


def width(waiting: float, k: str = "1") -> int:
    return int(window.window(np.array([waiting]), np.array([window.head_start(float(k))]))[0])


def met(one: Ticket, two: Ticket) -> list[Pair]:
    return pair([one, two], SYSTEM).pairs


@pytest.mark.parametrize(
    ("waiting", "k", "percent"),
    [
        (0, "1", 5),
        (9.9, "1", 5),
        (10, "1", 6),
        (200, "1", 25),
        (9000, "1", 25),
        (0, "1.01", 7),
        (0, "4.99", 13),
        (30, "4.99", 16),
    ],
)
def test_the_window_starts_at_5_is_wider_for_newcomers_and_widens(waiting: float, k: str, percent: int):
    assert width(waiting, k) == percent


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.decimals(1, 5, places=2), st.decimals(1, 5, places=2))
def test_a_window_never_narrows_with_waiting_nor_with_k(waiting, other, k, other_k):
    less, more = sorted([waiting, other]), sorted([k, other_k])
    assert width(less[0], more[0]) <= width(less[1], more[1])


def test_the_same_window_reaches_less_far_over_a_longer_match():
    reaches = [lengths.reach(SYSTEM, length, 5) for length in QUEUE_LENGTHS]
    assert reaches == sorted(reaches, reverse=True)
    assert (reaches[0], reaches[-1]) == (174_30, 34_86)


@given(st.sampled_from(QUEUE_LENGTHS), st.integers(5, 24))
def test_a_reach_is_exact_to_the_hundredth_and_grows_with_the_window(length, percent):
    reach = lengths.reach(SYSTEM, length, percent)
    at, beyond = (SYSTEM.win_probability(Decimal(cents) / 100, Decimal(0), length) for cents in (reach, reach + 1))
    assert at <= 0.5 + percent / 100 < beyond
    assert reach < lengths.reach(SYSTEM, length, percent + 1)


def test_the_longest_common_length_in_reach_is_played():
    one, two = ticket("player01", "600", lengths=[1, 5, 25]), ticket("player02", "660", lengths=[1, 5, 9, 25])
    assert met(one, two)[0].match_length == 5
    assert met(one, ticket("player03", "630", lengths=[1, 5, 25]))[0].match_length == 25


def test_both_windows_must_admit_the_pair():
    patient = ticket("player01", "600", waiting=120)
    assert not met(patient, ticket("player02", "700"))
    [found] = met(patient, ticket("player02", "700", waiting=60))
    assert (found.window_one, found.window_two, found.relaxed) == (17, 11, (Relaxed.WINDOW,))


def test_a_pair_explains_itself():
    one, two = ticket("player01", "640"), ticket("player02", "620.50", multiplier=4.99)
    [found] = pair([one, two], SYSTEM).pairs
    assert found.one is two
    assert found.two is one
    assert found.win_probability == SYSTEM.win_probability(two.rating, one.rating, 5)
    assert (found.match_length, found.window_one, found.window_two, found.relaxed) == (5, 13, 5, ())


@pytest.mark.parametrize(
    ("seconds_ago", "times", "waiting", "expected"),
    [
        (1799, 1, 0, Meeting.RECENT),
        (1800, 1, 0, Meeting.FREE),
        (1800, 2, 0, Meeting.FREE),
        (1800, 3, 0, Meeting.RECENT),
        (60, 1, 299, Meeting.RECENT),
        (60, 2, 300, Meeting.RELAXED),
        (60, 3, 9000, Meeting.RECENT),
        (80000, 3, 9000, Meeting.RECENT),
    ],
)
def test_a_rematch_waits_half_an_hour_or_long_patience_and_never_is_the_fourth(seconds_ago, times, waiting, expected):
    one = ticket("player01", waiting=waiting, met={"player02": Met(seconds_ago, times)})
    two = ticket("player02", waiting=waiting)
    assert meeting(one, two) == meeting(two, one) == expected
    found = met(one, two)
    assert bool(found) == (expected in (Meeting.FREE, Meeting.RELAXED))
    assert [p.relaxed for p in found] in ([], [(Relaxed.REMATCH_PAUSE,) if expected is Meeting.RELAXED else ()])


def test_the_patience_of_one_alone_allows_no_early_rematch():
    one = ticket("player01", waiting=3000, met={"player02": Met(60, 1)})
    assert meeting(one, ticket("player02")) == Meeting.RECENT


def test_blocked_players_never_meet():
    one, two = ticket("player01", waiting=9000, blocked=frozenset({"player02"})), ticket("player02", waiting=9000)
    assert meeting(one, two) == meeting(two, one) == Meeting.BLOCKED
    assert not met(one, two)


def test_two_tickets_with_one_id_are_refused():
    with pytest.raises(ValueError, match="same id"):
        pair([ticket("player01"), ticket("player01")], SYSTEM)
