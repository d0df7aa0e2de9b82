"""Two moderators suspend the same account at once: one succeeds, the other is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError

from accounts.models import AuditEntry, Suspension, User
from common.errors import Conflict
from ladder.services.matches import reporting
from tests import factories
from tests.concurrency.calls import suspending
from tests.concurrency.racing import Callers, errors_of, gate, gate_before, meet, without_locks_on

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


@pytest.fixture(autouse=True)
def _gate_before_suspending(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate is after the check for other suspensions and before the suspension."""
    gate_before(monkeypatch, Suspension.objects, "create")


def suspend_twice(threads: Callers) -> tuple[int, list[BaseException]]:
    """How many calls passed the check together, and their errors."""
    player = factories.make_player()
    together, answers = meet(threads, suspending(player), suspending(player))
    assert (Suspension.objects.count(), AuditEntry.objects.count()) == (1, 1)
    return together, errors_of(answers)


def test_one_suspends_and_the_other_is_refused(callers: MakeCallers) -> None:
    together, (error,) = suspend_twice(callers(2))
    assert together == 1
    assert isinstance(error, Conflict)
    assert error.code == "already_suspended"


def test_without_the_lock_the_database_refuses_the_second(callers: MakeCallers, monkeypatch) -> None:
    without_locks_on(monkeypatch, User)
    together, (error,) = suspend_twice(callers(2))
    assert together == 2
    assert isinstance(error, IntegrityError)
    assert "one_suspension_at_a_time" in str(error)


def test_offers_and_settlements_do_not_wait_for_it(callers: MakeCallers) -> None:
    player = factories.make_player()
    match = factories.started_match(player)
    with gate() as closed:
        (running,) = callers(1).start(suspending(player))
        closed.wait_for(1)
        factories.offered_match(player)
        reporting.report(match.pk, player, winner=match.player_two.username)
        assert not running.done()
        closed.open()
        assert running.result(10).account == player
