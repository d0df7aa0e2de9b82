"""The nightly job when it is late, when the clock jumps, and where the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import count
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.models import Event
from ladder.models import DecayRun, RatingEntry, Standing
from ladder.rules import calendar
from ladder.rules import decay as rule
from ladder.services import decay
from ladder.services.decay import runs
from ladder.tasks import bring_decay_up_to_date
from tests.decay_days import (
    FIRST,
    START,
    at,
    charged_days,
    clock,
    decays_of,
    history,
    idle,
    old_ladder,
    rating_of,
    run_on,
    runs_of,
)

pytestmark = pytest.mark.django_db

A_DAY = timedelta(days=1)
RATINGS = ("1003.50", "950.00", "801.40", "790.00")


# --- late ---


@pytest.mark.parametrize("missed", [3, 40])
def test_missed_days_take_the_same_points(missed: int) -> None:
    nightly, late = old_ladder("nightly"), old_ladder("late")
    for ladder in (nightly, late):
        for n, rating in enumerate(RATINGS):
            idle(ladder, rating, START + timedelta(days=n))
        run_on(ladder, FIRST - A_DAY)
    for n in range(missed):
        run_on(nightly, FIRST + n * A_DAY)
    with clock(FIRST + (missed - 1) * A_DAY):
        assert decay.lag_days(late) == missed
        assert bring_decay_up_to_date() == missed
        assert bring_decay_up_to_date() == 0
        assert decay.lag_days(late) == 0
    assert history(late) == history(nightly)
    assert runs_of(late) == runs_of(nightly)
    assert len(history(late)) == {3: 3 + 2 + 1, 40: 40 + 39 + 2}[missed]  # the fourth stands below the floor


def test_one_ladder_that_fails_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = idle(old_ladder("broken")), idle(old_ladder("sound"))
    RatingEntry.objects.create(  # as if its number had been given already
        standing=broken, sequence=1, kind="decay", day=FIRST - A_DAY, idle_since=START.date(), before=952, delta=-2,
        after=950, experience_before=400, experience_after=400, rule_set="fibs-600", rule_set_version=1,
    )  # fmt: skip
    with clock(FIRST):
        assert bring_decay_up_to_date() == 29
    assert charged_days(sound) == [FIRST]
    failed = DecayRun.objects.get(ladder=broken.ladder, day=FIRST)
    assert failed.state == "running"
    assert "sequence_unique_in_standing" in failed.error
    Standing.objects.filter(pk=broken.pk).update(last_sequence=1, rating=950)
    (run,) = run_on(broken.ladder, FIRST)
    assert (run.state, run.standings, run.error) == ("completed", 1, "")


# --- the clock jumps ---


def test_a_clock_that_steps_back_an_hour_over_midnight() -> None:
    ladder = old_ladder()
    standing = idle(ladder)
    for minutes in (-30, 10, -50, -5, 0, 70):
        run_on(ladder, at(FIRST, 0) + timedelta(minutes=minutes))
    assert decays_of(standing) == [(FIRST, Decimal("-2.00"))]
    assert DecayRun.objects.count() == 29


def test_a_clock_that_steps_forward_a_day_and_back() -> None:
    ladder = old_ladder()
    standing = idle(ladder)
    for hours in (0, 25, 1, 23, 24, 26, 48, 50):
        run_on(ladder, at(FIRST, 0) + timedelta(hours=hours))
    assert charged_days(standing) == [FIRST, FIRST + A_DAY, FIRST + 2 * A_DAY]
    assert rating_of(standing) == Decimal("944.00")


# --- the clocks change ---

CHANGES = {
    "Asia/Seoul": date(1988, 5, 8),  # the last summer time that Korea had
    "Europe/Berlin": date(2026, 3, 29),
    "America/New_York": date(2026, 11, 1),
    "America/Sao_Paulo": date(2018, 11, 4),  # midnight is skipped
    "Pacific/Apia": date(2011, 12, 30),  # the day is skipped
}


@pytest.mark.parametrize(("zone", "change"), CHANGES.items())
def test_each_day_is_charged_once_where_the_clocks_change(zone: str, change: date) -> None:
    """Once with the change among the days of decay, and once 28 days before them."""
    there = ZoneInfo(zone)
    for first in (change - 2 * A_DAY, change + 26 * A_DAY):
        last_match = datetime.combine(first - 28 * A_DAY, time(23, 59, 59), tzinfo=there)
        ladder = old_ladder(f"from-{first}", made=last_match, time_zone=zone)
        standing = idle(ladder, since=last_match)
        # Just before and just after what would be midnight, and six hours later, with every clock.
        start = calendar.start_of(first, there) - timedelta(hours=1)
        for hours in range(0, 24 * 5, 6):
            for tick in (start + timedelta(hours=hours), start + timedelta(hours=hours + 1)):
                run_on(ladder, tick)
        assert charged_days(standing) == list(calendar.days(first, calendar.day_of(tick, there), there))
        assert len(charged_days(standing)) >= 4
        assert DecayRun.objects.filter(ladder=ladder, day=date(2011, 12, 30)).count() == 0


@pytest.mark.parametrize("zone", CHANGES)
def test_a_match_just_before_midnight_and_one_at_midnight_are_a_day_apart(zone: str) -> None:
    there = ZoneInfo(zone)
    played = CHANGES[zone] + A_DAY
    midnight = calendar.start_of(played, there)
    ladder = old_ladder(made=midnight - A_DAY, time_zone=zone)
    before, after = idle(ladder, since=midnight - timedelta.resolution), idle(ladder, since=midnight)
    day_before = calendar.day_of(midnight - timedelta.resolution, there)
    run_on(ladder, calendar.start_of(played + 27 * A_DAY, there))
    assert charged_days(after) == []
    run_on(ladder, calendar.start_of(played + 28 * A_DAY, there))
    assert charged_days(after) == [played + 28 * A_DAY]
    assert charged_days(before)[0] == day_before + 28 * A_DAY
    idle_since = RatingEntry.objects.filter(kind="decay").order_by("standing").values_list("standing", "idle_since")
    assert set(idle_since) == {(before.pk, day_before), (after.pk, played)}


# --- the ladder moves to another zone ---

EAST, WEST = "Pacific/Kiritimati", "Pacific/Pago_Pago"  # 25 hours apart


@pytest.mark.parametrize(("zone", "other"), [(EAST, WEST), (WEST, EAST)])
def test_a_ladder_that_moves_to_another_zone_charges_no_day_twice(zone: str, other: str) -> None:
    ladder = old_ladder(time_zone=zone)
    standing = idle(ladder)
    noon = at(FIRST)
    run_on(ladder, noon)
    for hours in range(0, 60, 4):
        ladder.time_zone = (other, zone)[hours // 24 % 2]
        ladder.save(update_fields=["time_zone"])
        run_on(ladder, noon + timedelta(hours=hours))
    worked_off = [run.day for run in DecayRun.objects.order_by("day")]
    assert worked_off == list(calendar.days(worked_off[0], worked_off[-1], ladder.zone))
    # Where the ladder is, the last match was on the first or the second of January.
    assert charged_days(standing) == [day for day in worked_off if day >= FIRST + (zone == EAST) * A_DAY]
    assert len(charged_days(standing)) >= 2


# --- the SQL and the rule ---

_slugs = count(1)
moments = st.integers(0, 37 * 365 * 24 * 60).map(
    lambda minutes: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
zones = st.sampled_from(sorted(available_timezones()))
standings = st.lists(
    st.tuples(st.decimals("780", "1010", places=2), st.integers(0, 40 * 24 * 60)), min_size=1, max_size=6
)


@settings(max_examples=settings().max_examples // 5)
@given(zones, standings, moments)
def test_the_sql_is_the_rule_in_every_zone(zone: str, players: list[tuple[Decimal, int]], now: datetime) -> None:
    ladder = old_ladder(f"ladder{next(_slugs)}", made=now - timedelta(days=3), time_zone=zone)
    made = [idle(ladder, str(rating), now - timedelta(minutes=minutes)) for rating, minutes in players]
    runs = run_on(ladder, now)
    expected = []
    for standing in made:
        rating = standing.rating
        last_match = calendar.day_of(standing.last_ranked_at or now, ladder.zone)
        for day in [run.day for run in runs]:
            step = rule.decay(ladder.rules.tiers, rating, last_match, day)
            if step:
                expected.append((standing.pk, day, last_match, -step))
            rating -= step
        assert rating_of(standing) == rating
    entries = RatingEntry.objects.filter(standing__ladder=ladder).order_by("standing", "sequence")
    assert list(entries.values_list("standing", "day", "idle_since", "delta")) == expected
    assert sum(run.standings for run in runs) == len(expected)


@pytest.mark.parametrize("zone", sorted({"CET", "localtime", "Asia/Seoul"} & available_timezones()))
def test_days_are_those_of_the_calendar_also_where_the_database_knows_the_zone_otherwise(zone: str) -> None:
    there = ZoneInfo(zone)
    ladder = old_ladder(made=datetime(2026, 6, 1, tzinfo=UTC), time_zone=zone)
    played = [datetime(2026, 7, 1, hour, 30, tzinfo=UTC) for hour in range(24)]
    for moment in played:
        idle(ladder, since=moment)
    first = [calendar.day_of(moment, there) + 28 * A_DAY for moment in played]
    for day in sorted(set(first)):
        run_on(ladder, calendar.start_of(day - 3 * A_DAY, there))
    starts = Event.objects.order_by("account").values_list("data__starts_on", flat=True)
    assert list(starts) == [str(day) for day in first]
    run_on(ladder, calendar.start_of(max(first), there))
    entries = RatingEntry.objects.filter(day=max(first)).order_by("standing").values_list("idle_since", flat=True)
    assert list(entries) == [calendar.day_of(moment, there) for moment in played]


def test_the_earliest_last_matches_are_exact() -> None:
    ladder = old_ladder(made=at(FIRST - A_DAY))
    for years in (0, 1, 5, 30):
        idle(ladder, since=START.replace(year=START.year - years))
    run_on(ladder, FIRST)
    since = RatingEntry.objects.order_by("standing").values_list("idle_since", flat=True)
    assert list(since.filter(day=FIRST)) == [date(year, 1, 1) for year in (2026, 2025, 2021, 1996)]


def test_a_match_is_voided_while_the_day_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last match becomes an earlier one than any before. Its day is right in the entry."""
    monkeypatch.setattr(runs, "STANDINGS_PER_DECAY_BATCH", 1)
    ladder = old_ladder()
    first, second = idle(ladder), idle(ladder)
    given_back = START - timedelta(days=100)

    def void(day: date, charged: int) -> None:
        Standing.objects.filter(pk=second.pk).update(last_ranked_at=given_back)

    with clock(FIRST):
        decay.bring_up_to_date(ladder, progress=void)
    since = RatingEntry.objects.order_by("standing").values_list("standing", "day", "idle_since")
    assert list(since) == [(first.pk, FIRST, START.date()), (second.pk, FIRST, given_back.date())]


def test_lag_of_a_ladder_made_today() -> None:
    ladder = old_ladder()
    with clock(START):
        assert decay.lag_days(ladder) == 1
        decay.bring_up_to_date(ladder)
        assert decay.lag_days(ladder) == 0
