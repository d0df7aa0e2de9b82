"""Calendar days in a time zone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """The calendar day of ``moment``, which has a time zone."""
    return moment.astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of the day. In some zones, midnight does not exist on days when the clocks change."""
    midnight = datetime.combine(day, time(), tzinfo=zone)
    # The conversion to UTC turns a midnight that does not exist into the first moment after the gap.
    return midnight.astimezone(ZoneInfo("UTC"))


def exists(day: date, zone: ZoneInfo) -> bool:
    """Whether the day exists in the zone: Samoa had no 30 December 2011."""
    noon = datetime.combine(day, time(12), tzinfo=zone)
    return noon.astimezone(ZoneInfo("UTC")).astimezone(zone).date() == day


def days(first: date, last: date, zone: ZoneInfo) -> Iterator[date]:
    """The days from ``first`` to ``last``, both included, that exist in the zone."""
    day = first
    while day <= last:
        if exists(day, zone):
            yield day
        day += ONE_DAY


def starts(first: date, last: date, zone: ZoneInfo) -> list[datetime]:
    """The first moment of each day from ``first`` to ``last``, both included.

    A day that does not exist in the zone starts at the same moment as the next one."""
    return [start_of(first + timedelta(days=n), zone) for n in range((last - first).days + 1)]
