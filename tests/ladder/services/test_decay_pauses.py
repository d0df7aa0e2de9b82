"""Days of a declared outage are not charged, whenever it was declared."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission

from accounts.models import AuditEntry, User
from common.errors import Forbidden, Invalid
from ladder.models import DecayPause, DecayRun, Ladder, RatingEntry
from ladder.services import decay
from ladder.services.decay import reversing, runs
from tests import factories
from tests.decay_days import (
    FIRST,
    charged_days,
    clock,
    decays_of,
    idle,
    old_ladder,
    rating_of,
    reversals_of,
    run_on,
)

pytestmark = pytest.mark.django_db

DAYS = [FIRST + timedelta(days=n) for n in range(12)]


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


@pytest.fixture
def moderator() -> User:
    moderator = factories.make_moderator()
    moderator.user_permissions.add(Permission.objects.get(codename="add_decaypause"))
    return moderator


Declare = Callable[..., DecayPause]


@pytest.fixture
def declare(ladder: Ladder, moderator: User) -> Declare:
    def declare(first: date, last: date, *, on: Ladder = ladder, today: date = FIRST) -> DecayPause:
        with clock(today):
            return decay.declare_pause(
                on, first_day=first, last_day=last, actor=moderator, reason="The server was down."
            )

    return declare


def states(ladder: Ladder) -> list[str]:
    """Of the runs from the first charged day on."""
    return list(DecayRun.objects.filter(ladder=ladder, day__gte=FIRST).order_by("day").values_list("state", flat=True))


# --- declared before ---


def test_paused_days_are_not_charged_and_those_around_them_are(ladder: Ladder, declare: Declare) -> None:
    standing = idle(ladder)
    declare(DAYS[1], DAYS[2])
    for day in DAYS[:5]:
        run_on(ladder, day)
    assert charged_days(standing) == [DAYS[0], DAYS[3], DAYS[4]]
    assert states(ladder) == ["completed", "paused", "paused", "completed", "completed"]
    assert reversals_of(standing) == []


def test_a_catch_up_leaves_out_the_paused_days_too(ladder: Ladder, declare: Declare) -> None:
    standing = idle(ladder)
    declare(DAYS[1], DAYS[2], today=DAYS[6])
    run_on(ladder, DAYS[6])
    assert charged_days(standing) == [DAYS[0], *DAYS[3:7]]
    for day in DAYS[7:9]:
        run_on(ladder, day)
    assert charged_days(standing) == [DAYS[0], *DAYS[3:9]]


def test_overlapping_pauses(ladder: Ladder, declare: Declare, moderator: User) -> None:
    standing = idle(ladder)
    declare(DAYS[1], DAYS[4])
    second = declare(DAYS[3], DAYS[6])
    run_on(ladder, DAYS[0])
    with clock(DAYS[4]):
        decay.end_pause(second, last_day=DAYS[3], actor=moderator, reason="Back.")
    run_on(ladder, DAYS[7])
    assert charged_days(standing) == [DAYS[0], *DAYS[5:8]]


def test_a_pause_is_for_one_ladder(ladder: Ladder, declare: Declare) -> None:
    other = old_ladder("other")
    here, there = idle(ladder), idle(other)
    for each in (ladder, other):
        run_on(each, DAYS[1])
    declare(DAYS[0], DAYS[3], on=other)
    for each in (ladder, other):
        run_on(each, DAYS[4])
    assert charged_days(here) == DAYS[:5]
    assert reversals_of(here) == []
    assert charged_days(there) == [*DAYS[:2], DAYS[4]]
    assert [day for day, _ in reversals_of(there)] == DAYS[:2]


# --- declared while a run is at it ---


def test_a_pause_declared_while_the_day_is_being_charged(
    ladder: Ladder, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "STANDINGS_PER_DECAY_BATCH", 1)
    standings = [idle(ladder) for _ in range(3)]
    seen: list[date] = []

    def progress(day: date, count: int) -> None:
        if count and not seen:
            declare(FIRST, FIRST)
        seen.append(day)

    with clock(FIRST):
        decay.bring_up_to_date(ladder, progress=progress)
        assert [charged_days(standing) for standing in standings] == [[FIRST]] * 3
        decay.bring_up_to_date(ladder)
    for standing in standings:
        assert reversals_of(standing) == [(FIRST, Decimal("2.00"))]
        assert rating_of(standing) == standing.rating
    assert run_on(ladder, DAYS[1])[0].standings == 3


def test_a_pause_declared_over_a_day_that_was_left_half_done(
    ladder: Ladder, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "STANDINGS_PER_DECAY_BATCH", 1)
    first, second = idle(ladder), idle(ladder)

    def give_up(day: date, count: int) -> None:
        if count:
            raise KeyboardInterrupt

    with clock(FIRST), pytest.raises(KeyboardInterrupt):
        decay.bring_up_to_date(ladder, progress=give_up)
    declare(FIRST, FIRST)
    run_on(ladder, FIRST)
    assert (charged_days(first), reversals_of(first)) == ([FIRST], [(FIRST, Decimal("2.00"))])
    assert charged_days(second) == []
    assert rating_of(first) == rating_of(second)
    assert states(ladder) == ["paused"]


# --- declared after the fact ---


def test_decay_is_reversed_by_exact_opposites(ladder: Ladder, declare: Declare, moderator: User) -> None:
    master, platinum, low = idle(ladder, "1001.50"), idle(ladder, "802.40"), idle(ladder, "700.00")
    run_on(ladder, DAYS[4])
    taken = {standing.pk: decays_of(standing) for standing in (master, platinum, low)}
    assert [len(nights) for nights in taken.values()] == [5, 3, 0]
    pause = declare(DAYS[1], DAYS[3], today=DAYS[4])
    assert pause.reversed_at is None
    for _ in range(3):
        assert run_on(ladder, DAYS[4]) == []
    for standing in (master, platinum, low):
        given = reversals_of(standing)
        assert given == [(day, -points) for day, points in taken[standing.pk] if day in DAYS[1:4]]
    assert rating_of(master) == Decimal("1001.50") - 3 - 2
    assert rating_of(platinum) == Decimal("801.40")
    pause.refresh_from_db()
    assert pause.reversed_at is not None
    entry = RatingEntry.objects.filter(kind="reversal").latest("pk")
    assert (entry.actor, entry.reason) == (moderator, "The server was down.")
    # The days have no decay again, and later days have.
    run_on(ladder, DAYS[6])
    assert charged_days(master) == DAYS[:7]
    assert len(reversals_of(master)) == 3


def test_many_standings_are_reversed_in_batches(
    ladder: Ladder, declare: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reversing, "STANDINGS_PER_DECAY_BATCH", 2)
    standings = [idle(ladder) for _ in range(5)]
    run_on(ladder, DAYS[2])
    declare(DAYS[0], DAYS[2])
    run_on(ladder, DAYS[2])
    for standing in standings:
        assert reversals_of(standing) == [(day, Decimal("2.00")) for day in DAYS[:3]]
        assert rating_of(standing) == Decimal("950.00")


def test_pauses_over_the_same_days_give_back_once(ladder: Ladder, declare: Declare) -> None:
    standing = idle(ladder)
    run_on(ladder, DAYS[5])
    declare(DAYS[0], DAYS[3])
    declare(DAYS[2], DAYS[4])
    run_on(ladder, DAYS[5])
    declare(DAYS[0], DAYS[4])
    run_on(ladder, DAYS[5])
    assert sorted(day for day, _ in reversals_of(standing) if day) == DAYS[:5]
    assert rating_of(standing) == Decimal("948.00")


def test_decay_is_reversed_after_the_player_played_again(ladder: Ladder, declare: Declare) -> None:
    standing = idle(ladder)
    run_on(ladder, DAYS[1])
    with clock(DAYS[2]):
        factories.confirmed_match(standing.player, factories.make_player(), ladder=ladder)
    before = rating_of(standing)
    declare(DAYS[0], DAYS[1], today=DAYS[2])
    run_on(ladder, DAYS[2])
    standing.refresh_from_db()
    assert standing.rating == before + 4
    assert standing.peak_rating == max(Decimal("950.00"), standing.rating)
    assert (standing.wins, standing.experience) == (2, 405)


# --- ended early ---


def test_a_pause_that_ends_early(ladder: Ladder, declare: Declare, moderator: User) -> None:
    standing = idle(ladder)
    pause = declare(DAYS[0], DAYS[9])
    for day in DAYS[:3]:
        run_on(ladder, day)
    with clock(DAYS[3]):
        decay.end_pause(pause, last_day=DAYS[2], actor=moderator, reason="Back earlier.")
    run_on(ladder, DAYS[4])
    assert charged_days(standing) == DAYS[3:5]
    audited = AuditEntry.objects.filter(action="decay.end_pause").get()
    assert audited.data == {"from": str(DAYS[9]), "to": str(DAYS[2])}


def test_past_days_keep_the_pause(ladder: Ladder, declare: Declare, moderator: User) -> None:
    pause = declare(DAYS[0], DAYS[6])
    for last_day in (DAYS[0], DAYS[2], DAYS[6], DAYS[7]):
        with clock(DAYS[4]), pytest.raises(Invalid) as refused:
            decay.end_pause(pause, last_day=last_day, actor=moderator, reason="Back.")
        assert refused.value.code == "pause_end"
    pause.refresh_from_db()
    assert pause.last_day == DAYS[6]


# --- who may, and what ---


def test_refusals(ladder: Ladder, moderator: User) -> None:
    player = factories.make_player()
    days = {"first_day": FIRST, "last_day": FIRST}
    with pytest.raises(Forbidden):
        decay.declare_pause(ladder, **days, actor=player, reason="I was away.")
    with pytest.raises(Invalid, match="A reason is required"):
        decay.declare_pause(ladder, **days, actor=moderator, reason=" ")
    with pytest.raises(Invalid) as refused:
        decay.declare_pause(
            ladder, first_day=FIRST, last_day=FIRST - timedelta(days=1), actor=moderator, reason="Backwards."
        )
    assert refused.value.field == "last_day"
    pause = decay.declare_pause(ladder, **days, actor=moderator, reason="Down.")
    with pytest.raises(Forbidden):
        decay.end_pause(pause, last_day=FIRST, actor=player, reason="I am back.")
    assert DecayPause.objects.count() == AuditEntry.objects.filter(action="decay.pause").count() == 1


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        (date(202, 1, 1), FIRST, "pause_too_long"),
        (date(2025, 12, 31), FIRST, "pause_before_the_ladder"),
        (FIRST, FIRST - timedelta(days=1), "pause_ends_before_it_begins"),
        (FIRST, FIRST + timedelta(days=400), "pause_too_far_ahead"),
    ],
)
def test_days_that_can_only_be_mistyped_are_refused(ladder: Ladder, first: date, last: date, code: str) -> None:
    operator = User.objects.create_superuser("operator01")
    with clock(FIRST), pytest.raises(Invalid) as refused:
        decay.declare_pause(ladder, first_day=first, last_day=last, actor=operator, reason="The hall was closed.")
    assert refused.value.code == code
    assert not DecayPause.objects.exists()


def test_declaring_the_same_days_again_makes_no_second_pause(ladder: Ladder) -> None:
    operator = User.objects.create_superuser("operator01")
    with clock(FIRST):
        one, again = (
            decay.declare_pause(ladder, first_day=FIRST, last_day=FIRST, actor=operator, reason="The hall was closed.")
            for _ in range(2)
        )
    assert one == again
    assert DecayPause.objects.count() == AuditEntry.objects.filter(action="decay.pause").count() == 1
