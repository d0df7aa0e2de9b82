"""Calendar days in the time zone of a ladder."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """The calendar day that ``moment`` (aware) falls on."""
    return moment.astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of the day, also where the clocks skip midnight."""
    midnight = datetime.combine(day, time(), tzinfo=zone)
    # A skipped midnight reads as a time after the gap when it is taken to UTC and back.
    return midnight.astimezone(ZoneInfo("UTC"))


def exists(day: date, zone: ZoneInfo) -> bool:
    """Whether the zone had that day at all: Samoa went from 29 to 31 December 2011."""
    noon = datetime.combine(day, time(12), tzinfo=zone)
    return noon.astimezone(ZoneInfo("UTC")).astimezone(zone).date() == day


def days(first: date, last: date, zone: ZoneInfo) -> Iterator[date]:
    """The days from ``first`` to ``last``, both included, that the zone had."""
    day = first
    while day <= last:
        if exists(day, zone):
            yield day
        day += ONE_DAY


def starts(first: date, last: date, zone: ZoneInfo) -> list[datetime]:
    """The first moment of each day from ``first`` to ``last``, both included; a skipped day begins with the next."""
    return [start_of(first + timedelta(days=n), zone) for n in range((last - first).days + 1)]
