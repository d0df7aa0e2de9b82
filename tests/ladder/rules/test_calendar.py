"""Calendar days, where the clocks do what one does not expect."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from ladder.rules import calendar

SEOUL, BERLIN, NEW_YORK, APIA, SAO_PAULO = (
    ZoneInfo(name) for name in ("Asia/Seoul", "Europe/Berlin", "America/New_York", "Pacific/Apia", "America/Sao_Paulo")
)


@pytest.mark.parametrize(
    ("moment", "zone", "day"),
    [
        (datetime(2026, 3, 1, 14, 59, tzinfo=UTC), SEOUL, date(2026, 3, 1)),
        (datetime(2026, 3, 1, 15, 0, tzinfo=UTC), SEOUL, date(2026, 3, 2)),
        (datetime(2026, 3, 28, 22, 59, tzinfo=UTC), BERLIN, date(2026, 3, 28)),
        (datetime(2026, 3, 29, 21, 59, tzinfo=UTC), BERLIN, date(2026, 3, 29)),
        (datetime(2026, 3, 29, 22, 0, tzinfo=UTC), BERLIN, date(2026, 3, 30)),
        (datetime(2026, 11, 1, 4, 59, tzinfo=UTC), NEW_YORK, date(2026, 11, 1)),
    ],
)
def test_day_of(moment, zone, day):
    assert calendar.day_of(moment, zone) == day


@pytest.mark.parametrize(
    ("day", "zone", "start"),
    [
        (date(2026, 3, 29), BERLIN, datetime(2026, 3, 28, 23, 0, tzinfo=UTC)),
        (date(2026, 3, 30), BERLIN, datetime(2026, 3, 29, 22, 0, tzinfo=UTC)),
        (date(2026, 11, 1), NEW_YORK, datetime(2026, 11, 1, 4, 0, tzinfo=UTC)),
        (date(2026, 11, 2), NEW_YORK, datetime(2026, 11, 2, 5, 0, tzinfo=UTC)),
        # Brazil's clocks used to skip midnight: that day began at one o'clock.
        (date(2018, 11, 4), SAO_PAULO, datetime(2018, 11, 4, 3, 0, tzinfo=UTC)),
    ],
)
def test_start_of(day, zone, start):
    assert calendar.start_of(day, zone) == start
    assert calendar.day_of(start, zone) == day


@pytest.mark.parametrize("zone", [SEOUL, BERLIN, NEW_YORK, SAO_PAULO])
def test_each_day_of_a_year_begins_where_the_one_before_ends(zone):
    days = list(calendar.days(date(2018, 1, 1), date(2018, 12, 31), zone))
    assert len(days) == 365
    for day in days:
        start = calendar.start_of(day, zone)
        assert calendar.day_of(start, zone) == day
        assert calendar.day_of(start.replace(microsecond=0) - (datetime.resolution), zone) == day - calendar.ONE_DAY


def test_the_day_that_samoa_skipped_is_not_a_day():
    assert not calendar.exists(date(2011, 12, 30), APIA)
    assert list(calendar.days(date(2011, 12, 28), date(2012, 1, 1), APIA)) == [
        date(2011, 12, 28),
        date(2011, 12, 29),
        date(2011, 12, 31),
        date(2012, 1, 1),
    ]


def test_no_days_before_the_first():
    assert list(calendar.days(date(2026, 2, 2), date(2026, 2, 1), SEOUL)) == []
