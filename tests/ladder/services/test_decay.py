"""The nightly job by its behaviour."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from accounts.models import User
from common.errors import Invalid
from events.models import Event
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from ladder.services import decay
from tests import factories
from tests.decay_days import FIRST, START, at, clock, decays_of, idle, old_ladder, run_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


def test_no_decay_before_28_days(ladder: Ladder) -> None:
    standing = idle(ladder, "1000.50")
    run_on(ladder, FIRST - timedelta(days=1))
    assert decays_of(standing) == []
    run_on(ladder, FIRST)
    assert decays_of(standing) == [(FIRST, Decimal("-3.00"))]


def test_missed_days_are_run_in_order(ladder: Ladder) -> None:
    standing = idle(ladder, "1000.50")
    before = Standing.objects.values().get(pk=standing.pk)
    runs = run_on(ladder, FIRST + timedelta(days=2))
    assert [run.state for run in runs] == ["completed"] * 31
    assert [run.day for run in runs] == sorted(run.day for run in runs)
    # Diamond the night after the first.
    assert decays_of(standing) == [
        (FIRST, Decimal("-3.00")),
        (FIRST + timedelta(days=1), Decimal("-2.00")),
        (FIRST + timedelta(days=2), Decimal("-2.00")),
    ]
    after = Standing.objects.values().get(pk=standing.pk)
    changed = {name for name, value in after.items() if dict(before)[name] != value}
    assert changed == {"rating", "last_sequence", "decayed_through"}


def test_no_decay_at_the_floor(ladder: Ladder) -> None:
    standing = idle(ladder, "800.40")
    run_on(ladder, FIRST + timedelta(days=30))
    assert decays_of(standing) == [(FIRST, Decimal("-0.40"))]
    standing.refresh_from_db()
    assert standing.rating == Decimal("800.00")


@pytest.mark.parametrize("rating", ["799.99", "800.00", "650.00"])
def test_lower_tiers_have_no_decay(ladder: Ladder, rating: str) -> None:
    standing = idle(ladder, rating)
    run_on(ladder, FIRST + timedelta(days=100))
    assert decays_of(standing) == []


def test_a_run_counts_what_it_took(ladder: Ladder) -> None:
    for rating in ("1200.00", "1000.00", "950.00", "800.40", "700.00"):
        idle(ladder, rating)
    run = run_on(ladder, FIRST)[-1]
    assert (run.day, run.standings, run.points) == (FIRST, 4, Decimal("8.40"))
    assert run.by_tier == {
        "master": {"standings": 2, "points": "6.00"},
        "diamond": {"standings": 1, "points": "2.00"},
        "platinum": {"standings": 1, "points": "0.40"},
    }


def test_the_sql_gives_the_same_as_the_rule(ladder: Ladder) -> None:
    for n in range(60):
        idle(ladder, f"{790 + 7 * n}.{n:02}", START + timedelta(days=n % 5, hours=n))
    last = FIRST + timedelta(days=6)
    with clock(at(last)):
        nights = list(decay.preview(ladder))
    assert RatingEntry.objects.filter(kind="decay").count() == 0
    run_on(ladder, last)
    foreseen = {(night.day, loss.username): loss.step for night in nights for loss in night.losses}
    charged = {
        (entry.day, entry.standing.player.username): -entry.delta
        for entry in RatingEntry.objects.filter(kind="decay").select_related("standing__player")
    }
    assert charged == foreseen
    assert len(charged) > 200


def test_a_player_who_played_again_has_no_decay_for_an_earlier_day(ladder: Ladder) -> None:
    standing = idle(ladder, "950.00")
    run_on(ladder, FIRST - timedelta(days=1))
    with clock(at(FIRST + timedelta(days=2), 9)):
        factories.confirmed_match(standing.player, factories.make_player(), ladder=ladder)
    run_on(ladder, FIRST + timedelta(days=10))
    assert decays_of(standing) == []


def test_an_unrated_match_does_not_change_the_last_match(ladder: Ladder) -> None:
    standing = idle(ladder, "950.00")
    with clock(at(FIRST - timedelta(days=3))):
        factories.confirmed_match(standing.player, factories.make_player(), ladder=ladder, origin="challenge")
    run_on(ladder, FIRST)
    assert decays_of(standing) == [(FIRST, Decimal("-2.00"))]


def test_a_match_on_another_ladder_does_not_change_the_last_match(ladder: Ladder) -> None:
    standing = idle(ladder, "950.00")
    with clock(at(FIRST - timedelta(days=3))):
        factories.confirmed_match(standing.player, factories.make_player(), ladder=factories.make_ladder("other"))
    run_on(ladder, FIRST)
    assert decays_of(standing) == [(FIRST, Decimal("-2.00"))]


def test_after_a_void_the_match_before_is_the_last_match(ladder: Ladder) -> None:
    player = factories.make_player()
    standing = Standing.objects.create(ladder=ladder, player=player, rating=950, peak_rating=950)
    with clock(START):
        factories.confirmed_match(player, factories.make_player(), ladder=ladder)
    with clock(at(FIRST - timedelta(days=3))):
        factories.void(factories.confirmed_match(player, factories.make_player(), ladder=ladder))
    run_on(ladder, FIRST)
    assert decays_of(standing) == [(FIRST, Decimal("-2.00"))]


def test_no_decay_without_a_match(ladder: Ladder) -> None:
    player = factories.make_player()
    standing = Standing.objects.create(ladder=ladder, player=player, rating=1200, peak_rating=1200)
    run_on(ladder, FIRST + timedelta(days=100))
    assert decays_of(standing) == []


def test_again_on_the_same_day_is_nothing(ladder: Ladder) -> None:
    standing = idle(ladder, "950.00")
    run_on(ladder, FIRST)
    assert run_on(ladder, FIRST) == []
    assert len(decays_of(standing)) == 1


def test_a_clock_a_day_ahead_and_back_charges_each_day_once(ladder: Ladder) -> None:
    standing = idle(ladder, "950.00")
    for day in (FIRST, FIRST + timedelta(days=1), FIRST, FIRST + timedelta(days=1), FIRST + timedelta(days=2)):
        run_on(ladder, day)
    assert [day for day, _ in decays_of(standing)] == [FIRST + timedelta(days=n) for n in range(3)]


def test_days_in_the_future_and_before_the_ladder_are_refused(ladder: Ladder) -> None:
    with clock(at(FIRST)):
        for day, code in (
            (FIRST + timedelta(days=1), "day_in_the_future"),
            (date(2025, 12, 31), "day_before_the_ladder"),
        ):
            with pytest.raises(Invalid) as refused:
                decay.bring_up_to_date(ladder, through=day)
            assert (refused.value.code, refused.value.field) == (code, "date")
    assert DecayRun.objects.count() == 0


def test_a_ladder_whose_rules_do_not_decay_has_no_runs() -> None:
    ladder = factories.make_ladder("classic", rule_set="fibs-classic")
    assert decay.bring_up_to_date(ladder) == []
    assert decay.lag_days(ladder) == 0


def test_lag(ladder: Ladder) -> None:
    run_on(ladder, FIRST)
    for days, lag in ((0, 0), (1, 1), (3, 3)):
        with clock(at(FIRST + timedelta(days=days))):
            assert decay.lag_days(ladder) == lag


def test_players_are_notified_three_days_ahead_and_once(ladder: Ladder) -> None:
    standing, low = idle(ladder, "950.00"), idle(ladder, "780.00")
    run_on(ladder, FIRST - timedelta(days=4))
    assert Event.objects.count() == 0
    for days in (3, 3, 2, 1, 0):
        run_on(ladder, FIRST - timedelta(days=days))
    event = Event.objects.get()
    assert (event.account, event.kind) == (standing.player, "decay_ahead")
    assert event.data == {"ladder": ladder.slug, "starts_on": str(FIRST), "rating": "950.00"}
    assert low.player.events.count() == 0


def test_the_notice_has_the_first_day_after_a_pause(ladder: Ladder) -> None:
    idle(ladder, "950.00")
    paused = [FIRST - timedelta(days=1), FIRST, FIRST + timedelta(days=1)]
    operator = User.objects.create_superuser("operator01")
    with clock(FIRST - timedelta(days=10)):
        decay.declare_pause(ladder, first_day=paused[0], last_day=paused[-1], actor=operator, reason="Moving house.")
    starts_on = FIRST + timedelta(days=2)
    for days in (5, 4, 3):
        run_on(ladder, starts_on - timedelta(days=days))
        assert Event.objects.count() == (days == 3)
    for days in (2, 1, 0):
        run_on(ladder, starts_on - timedelta(days=days))
    assert Event.objects.get().data["starts_on"] == str(starts_on)
    assert [entry.day for entry in RatingEntry.objects.filter(kind="decay")] == [starts_on]
