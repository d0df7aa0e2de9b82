"""Decay beside matches of the same players: who is first goes first, and whoever has played is not charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from functools import partial
from random import Random

import pytest
from django.db import IntegrityError

from common.errors import Refusal
from ladder.models import Ladder, Match, RatingEntry, Standing
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services import decay
from ladder.services.decay import reversing
from ladder.services.decay import runs as decay_runs
from ladder.services.matches import reporting, rulings
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
from tests.concurrency.racing import Call, Callers, gate, gate_after_locking_standings
from tests.concurrency.test_decay_exactly_once import charge_otherwise
from tests.decay_days import (
    FIRST,
    START,
    charged_days,
    climb,
    clock,
    decays_of,
    drifts,
    old_ladder,
    reversals_of,
    run_on,
)

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


@pytest.fixture
def ladder() -> Iterator[Ladder]:
    """It is the first night that costs those who played at ``START``."""
    made = old_ladder()
    run_on(made, FIRST - timedelta(days=1))
    with clock(FIRST):
        yield made


@pytest.fixture
def standing(ladder: Ladder) -> Standing:
    with clock(START):
        return factories.standing_of(climb(ladder, 3), ladder)


@pytest.fixture
def match(standing: Standing) -> Match:
    return factories.awaiting_match(standing.player, factories.make_player(), ladder=standing.ladder)


def settle(match: Match) -> Call:
    return lambda: reporting.confirm(match.pk, match.player_two)


def race(threads: Callers, first: Call, *, gated: bool, then: Call) -> list[BaseException]:
    """Let ``first`` run into the gate, and ``then`` into its locks, or through if it finds none."""
    with gate() as closed:
        one = threads.start(first)
        assert closed.wait_for(1) == 1
        two = threads.start(then)
        if gated:
            assert closed.wait_for(2) == 1
        else:
            two[0].result(10)
        closed.open()
        return [error for future in one + two if (error := future.exception(10))]


def test_decay_first_then_the_match_is_rated_from_what_is_left(
    standing: Standing, match: Match, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge_otherwise(monkeypatch)
    night = partial(decay.bring_up_to_date, standing.ladder)
    assert race(callers(2), night, gated=True, then=settle(match)) == []
    assert decays_of(standing) == [(FIRST, Decimal("-2.00"))]
    charged, settled = RatingEntry.objects.filter(standing=standing).order_by("sequence")[3:]
    assert (charged.kind, settled.kind) == ("decay", "settlement")
    assert settled.before == standing.rating - 2
    assert_ledger_is_whole(match.player_one, match.player_two)
    assert drifts() == []


def test_no_decay_if_the_match_settles_first(
    standing: Standing, match: Match, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate_after_locking_standings(monkeypatch)
    night = partial(decay.bring_up_to_date, standing.ladder)
    assert race(callers(2), settle(match), gated=True, then=night) == []
    assert charged_days(standing) == []
    assert_ledger_is_whole(match.player_one, match.player_two)
    assert drifts() == []


def test_decay_without_the_second_check(
    standing: Standing, match: Match, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate_after_locking_standings(monkeypatch)
    with monkeypatch.context() as patch:
        charge_otherwise(patch, asked_again=False)
        night = partial(decay.bring_up_to_date, standing.ladder)
        (error,) = race(callers(2), settle(match), gated=True, then=night)
    # Without the check on the entry, the player would have paid for a night after the match.
    assert isinstance(error, IntegrityError)
    assert "entry_is_whole_for_its_kind" in str(error)


def test_without_the_row_lock_the_match_would_be_lost(
    standing: Standing, match: Match, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge_otherwise(monkeypatch, locked=False)
    night = partial(decay.bring_up_to_date, standing.ladder)
    (error,) = race(callers(2), night, gated=False, then=settle(match))
    # It read 3 entries, and would have written a fourth from the rating before the match.
    assert isinstance(error, IntegrityError)
    assert "sequence_unique_in_standing" in str(error)
    assert charged_days(standing) == []
    assert_ledger_is_whole(match.player_one, match.player_two)


def test_a_pause_is_reversed_during_a_match(
    standing: Standing, match: Match, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder, superuser = standing.ladder, factories.make_player(is_staff=True, is_superuser=True)
    decay.bring_up_to_date(ladder)
    decay.declare_pause(ladder, first_day=FIRST, last_day=FIRST, actor=superuser, reason="The server was down.")
    gate_after_locking_standings(monkeypatch)
    night = partial(decay.bring_up_to_date, ladder)
    assert race(callers(2), settle(match), gated=True, then=night) == []
    assert reversals_of(standing) == [(FIRST, Decimal("2.00"))]
    assert_ledger_is_whole(match.player_one, match.player_two)
    assert drifts() == []


@pytest.mark.parametrize("seed", [1, 2])
def test_decay_pauses_voids_and_matches_at_random(
    seed: int, ladder: Ladder, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call is granted or refused, and nothing drifts."""
    for module in (reversing, decay_runs):
        monkeypatch.setattr(module, "STANDINGS_PER_DECAY_BATCH", 2)
    random = Random(seed)
    superuser = factories.make_player(is_staff=True, is_superuser=True)
    with clock(START):
        champions = [climb(ladder, 3) for _ in range(4)]
    matches = [factories.started_match(*random.sample(champions, 2), ladder=ladder) for _ in range(3)]
    threads = callers(4)

    def any_call(day: int) -> Call:
        match = random.choice(matches)
        calls: list[Call] = [
            partial(decay.bring_up_to_date, ladder),
            partial(decay.bring_up_to_date, ladder),
            partial(reporting.server_result, match.pk, winner=match.player_one.username),
            partial(
                rulings.overturn_match, match.pk, actor=superuser, winner=random.choice([1, 2, None]),
                reason_code=ReasonCode.OTHER, reason="At random.",
            ),
            partial(
                decay.declare_pause, ladder, first_day=FIRST + timedelta(days=random.randint(0, day)),
                last_day=FIRST + timedelta(days=day), actor=superuser, reason="At random.",
            ),
            partial(decay.reverse_run, random.choice(runs), actor=superuser, reason="At random."),
        ]  # fmt: skip
        return random.choice(calls)

    for day in range(20):
        with clock(FIRST + timedelta(days=day)):
            runs = list(ladder.decay_runs.all()[:4])
            answers = threads.at_once(*(any_call(day) for _ in range(4)))
            assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, Refusal)]
            offer = {"ladder": ladder, "origin": Origin.TOURNAMENT}
            if day % 7 == 6:
                matches = [*matches[-2:], factories.started_match(*random.sample(champions, 2), **offer)]
    with clock(FIRST + timedelta(days=20)):
        decay.bring_up_to_date(ladder)
    assert ladder.decay_pauses.filter(reversed_at=None).count() == 0
    spared = [
        (pause.first_day <= entry.day <= pause.last_day, entry.reversals.count())
        for pause in ladder.decay_pauses.all()
        for entry in RatingEntry.objects.filter(kind="decay")
        if entry.day
    ]
    assert all(given_back == 1 for paused, given_back in spared if paused)
    assert_ledger_is_whole(*champions)
    assert drifts() == []
