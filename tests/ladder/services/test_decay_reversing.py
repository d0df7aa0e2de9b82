"""A whole run is taken back by a superuser: by exact opposites, once, and for good."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from accounts.models import AuditEntry, User
from common.errors import Conflict, Forbidden, Invalid
from ladder.models import DecayRun, Ladder, RatingEntry
from ladder.services import decay
from tests import factories
from tests.decay_days import (
    FIRST,
    charged_days,
    clock,
    idle,
    old_ladder,
    rating_of,
    reversals_of,
    run_on,
)

pytestmark = pytest.mark.django_db

SECOND, THIRD = FIRST + timedelta(days=1), FIRST + timedelta(days=2)


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


@pytest.fixture
def superuser() -> User:
    return factories.make_player("root01", is_staff=True, is_superuser=True)


def the_run(ladder: Ladder) -> DecayRun:
    return DecayRun.objects.get(ladder=ladder, day=FIRST)


def reverse(run: DecayRun, actor: User) -> DecayRun:
    with clock(THIRD):
        return decay.reverse_run(run, actor=actor, reason="The clock was wrong.")


def test_a_run_is_reversed_once_and_audited(ladder: Ladder, superuser: User) -> None:
    standings = [idle(ladder, rating) for rating in ("1000.00", "950.00", "800.40", "700.00")]
    before = [standing.rating for standing in standings]
    run_on(ladder, FIRST)
    run = reverse(the_run(ladder), superuser)
    assert (run.state, run.reversed_by, run.reversal_reason) == ("reversed", superuser, "The clock was wrong.")
    # What it took stays written in it.
    assert (run.standings, run.points) == (3, Decimal("5.40"))
    assert [rating_of(standing) for standing in standings] == before
    assert [reversals_of(standing) for standing in standings] == [
        [(FIRST, Decimal("3.00"))],
        [(FIRST, Decimal("2.00"))],
        [(FIRST, Decimal("0.40"))],
        [],
    ]
    for _ in range(2):
        with pytest.raises(Conflict):
            reverse(run, superuser)
    assert RatingEntry.objects.filter(kind="reversal").count() == 3
    audited = AuditEntry.objects.get(action="decay.reverse")
    assert (audited.actor, audited.reason, audited.data) == (superuser, "The clock was wrong.", {"day": str(FIRST)})


def test_a_reversed_day_is_not_charged_again_and_the_next_ones_are(ladder: Ladder, superuser: User) -> None:
    standing = idle(ladder)
    run_on(ladder, FIRST)
    reverse(the_run(ladder), superuser)
    assert run_on(ladder, FIRST) == []
    run_on(ladder, THIRD)
    assert charged_days(standing) == [FIRST, SECOND, THIRD]
    assert [day for day, _ in reversals_of(standing)] == [FIRST]
    assert rating_of(standing) == Decimal("946.00")


def test_a_day_in_the_middle_can_be_reversed(ladder: Ladder, superuser: User) -> None:
    """Later days do not change: they depend on the tier of their day."""
    standing = idle(ladder, "1000.50")
    run_on(ladder, THIRD)
    reverse(the_run(ladder), superuser)
    assert rating_of(standing) == Decimal("1000.50") - 2 - 2


def declare_pause(ladder: Ladder, actor: User) -> None:
    with clock(THIRD):
        decay.declare_pause(ladder, first_day=FIRST, last_day=SECOND, actor=actor, reason="The server was down.")
        decay.bring_up_to_date(ladder)


@pytest.mark.parametrize("pause_first", [True, False])
def test_a_day_both_reversed_and_paused_is_reversed_once(ladder: Ladder, superuser: User, pause_first: bool) -> None:
    standing = idle(ladder)
    run_on(ladder, THIRD)
    if pause_first:
        declare_pause(ladder, superuser)
    assert reverse(the_run(ladder), superuser).state == "reversed"
    if not pause_first:
        declare_pause(ladder, superuser)
    run_on(ladder, THIRD)
    assert sorted(day for day, _ in reversals_of(standing) if day) == [FIRST, SECOND]
    assert rating_of(standing) == Decimal("948.00")


@pytest.mark.parametrize("state", ["running", "paused", "reversing", "reversed"])
def test_only_completed_runs_are_reversed(ladder: Ladder, superuser: User, state: str) -> None:
    idle(ladder)
    run_on(ladder, FIRST)
    run = the_run(ladder)
    by_whom = {"reversed_by": superuser, "reversal_reason": "Once."} if state.startswith("revers") else {}
    DecayRun.objects.filter(pk=run.pk).update(
        state=state, finished_at=None if state == "running" else run.finished_at, **by_whom
    )
    with pytest.raises(Conflict) as refused:
        reverse(run, superuser)
    assert refused.value.code == "run_not_completed"
    assert RatingEntry.objects.filter(kind="reversal").count() == 0


def test_refusals(ladder: Ladder, superuser: User) -> None:
    idle(ladder)
    run_on(ladder, FIRST)
    run = the_run(ladder)
    with pytest.raises(Forbidden):
        reverse(run, factories.make_moderator())
    with pytest.raises(Invalid):
        decay.reverse_run(run, actor=superuser, reason=" ")
    superuser.is_active = False
    with pytest.raises(Forbidden):
        reverse(run, superuser)
    run.refresh_from_db()
    assert (run.state, AuditEntry.objects.count()) == ("completed", 0)
