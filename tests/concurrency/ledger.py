"""What must hold after any race."""

from __future__ import annotations

from accounts.models import User
from events.models import Event, EventStream
from ladder.models import Standing
from ladder.services.ledger.standing_state import FIELDS, state_from_ledger


def assert_ledger_is_whole(*players: User) -> None:
    """Every standing is what its entries make it, and the entries are a chain."""
    for standing in Standing.objects.filter(player__in=players).select_related("ladder"):
        entries = list(standing.entries.order_by("sequence"))
        assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
        start = standing.ladder.rules.start
        assert [entry.before for entry in entries] == [start, *(entry.after for entry in entries)][: len(entries)]
        facts = state_from_ledger(standing, start)
        assert {name: getattr(standing, name) for name in FIELDS} == {name: getattr(facts, name) for name in FIELDS}


def assert_events_are_whole() -> None:
    """What each account heard is numbered without a gap, up to the last; who left has forgotten the beginning."""
    for stream in EventStream.objects.all():
        events = Event.objects.filter(account=stream.account_id).order_by("number")
        numbers = list(events.values_list("number", flat=True))
        assert numbers == list(range(stream.last_number - len(numbers) + 1, stream.last_number + 1))
        assert stream.account.is_active <= (len(numbers) == stream.last_number)
