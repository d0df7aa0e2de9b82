"""The nightly job beside itself: whatever starts it, and however often, a standing is charged once for each day.

The advisory lock merely saves work: most tests here take it away, and the batches see to the rest by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import User
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from ladder.services import decay
from ladder.services.decay import reversing, runs, statements
from ladder.services.decay.locks import decay_lock
from ladder.tasks import bring_decay_up_to_date
from tests import factories
from tests.concurrency.racing import GATE, Call, Callers, gate
from tests.decay_days import FIRST, charged_days, clock, idle, old_ladder, rating_of, reversals_of, run_on, runs_of

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]
DAYS = [FIRST + timedelta(days=n) for n in range(3)]
RATINGS = ("1003.00", "1001.00", "950.00", "901.00", "802.50", "800.50", "700.00")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "STANDINGS_PER_DECAY_BATCH", 2)
    monkeypatch.setattr(reversing, "STANDINGS_PER_DECAY_BATCH", 2)


@pytest.fixture
def ladder() -> Iterator[Ladder]:
    """Up to date on the eve of the first night; now it is the third."""
    made = old_ladder()
    run_on(made, FIRST - timedelta(days=1))
    with clock(DAYS[-1]):
        yield made


@pytest.fixture
def standings(ladder: Ladder) -> list[Standing]:
    return [idle(ladder, rating) for rating in RATINGS]


def without_advisory_lock(patch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def everybody(ladder: Ladder) -> Iterator[None]:
        yield

    for module in (reversing, runs):
        patch.setattr(module, "decay_lock", everybody)


def assert_charged_once(ladder: Ladder) -> None:
    """What one worker alone would have left behind."""
    entries = RatingEntry.objects.filter(standing__ladder=ladder, kind="decay")
    assert entries.count() == len(set(entries.values_list("standing", "day"))) == 4 * 3 + 3 + 1
    ratings = list(Standing.objects.filter(ladder=ladder).order_by("pk").values_list("rating", flat=True))
    assert ratings == [Decimal(r) for r in ("995.00", "994.00", "944.00", "897.00", "800.00", "800.00", "700.00")]
    assert [(day, state, standings, points) for day, state, standings, points, *_ in runs_of(ladder)[-3:]] == [
        (DAYS[0], "completed", 6, Decimal("11.50")),
        (DAYS[1], "completed", 5, Decimal("9.00")),
        (DAYS[2], "completed", 5, Decimal("7.50")),
    ]
    assert runs_of(ladder)[-3][4] == {
        "master": {"standings": 2, "points": "6.00"},
        "diamond": {"standings": 2, "points": "4.00"},
        "platinum": {"standings": 2, "points": "1.50"},
    }


@pytest.mark.usefixtures("standings")
def test_the_task_run_twice(ladder: Ladder) -> None:
    assert [bring_decay_up_to_date() for _ in range(2)] == [3, 0]
    assert_charged_once(ladder)


@pytest.mark.usefixtures("standings")
@pytest.mark.parametrize("lock", [True, False], ids=["with the advisory lock", "without"])
def test_five_at_once(ladder: Ladder, lock: bool, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    if not lock:
        without_advisory_lock(monkeypatch)
    answers = callers(5).at_once(*[partial(decay.bring_up_to_date, ladder)] * 5)
    failures = [answer for answer in answers if isinstance(answer, Exception)]
    assert [failure for failure in failures if not (lock and isinstance(failure, decay.DecayRunning))] == []
    decay.bring_up_to_date(ladder)  # who came first may not have been the one who finished
    assert_charged_once(ladder)


def test_a_second_worker_stops(ladder: Ladder, callers: MakeCallers) -> None:
    with decay_lock(ladder):
        (answer,) = callers(1).at_once(partial(decay.bring_up_to_date, ladder))
        assert isinstance(answer, decay.DecayRunning)
        other = old_ladder("other")
        (runs,) = callers(1).at_once(partial(decay.bring_up_to_date, other))
        assert len(runs) == 31
    assert bring_decay_up_to_date() == 3


# --- two workers in the same batch ---

# Wait at the gate when the first row is locked, or without a lock: has been read.
GATED = f"FROM due WHERE pg_advisory_xact_lock_shared({GATE}) IS NOT NULL"
# The conditions decide whom to lock, and are not asked again of the row that was waited for.
PICKED = """
    WHERE s.id IN (
        SELECT s.id FROM ladder_standing s WHERE s.id > %(after)s::bigint AND s.id <= %(until)s::bigint AND {due}
    )
    ORDER BY s.id FOR UPDATE
"""


def charge_otherwise(patch: pytest.MonkeyPatch, *, locked: bool = True, asked_again: bool = True) -> None:
    """Put a gate into the batch, and take away its row locks, or its second look under them."""
    statement, gated = re.subn(r"FROM due\b", GATED, statements.DECAY_BATCH, count=1)
    assert gated
    if not locked:
        statement, changed = re.subn("FOR UPDATE", "", statement)
        assert changed
    if not asked_again:
        statement, changed = re.subn(
            r"WHERE s\.id > .*?FOR UPDATE", PICKED.format(due=statements._DUE), statement, flags=re.DOTALL
        )
        assert changed
    patch.setattr(statements, "DECAY_BATCH", statement)


def two_in_a_batch(ladder: Ladder, threads: Callers) -> tuple[int, list[BaseException]]:
    """How many of two workers were past the reading together, and the errors they ended with."""
    with gate() as closed:
        running = threads.start(*[partial(decay.bring_up_to_date, ladder, through=FIRST)] * 2)
        together = closed.wait_for(2)
        closed.open()
        return together, [error for future in running if (error := future.exception(10))]


def test_two_workers_in_the_same_batch(ladder: Ladder, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    standing = idle(ladder)
    without_advisory_lock(monkeypatch)
    charge_otherwise(monkeypatch)
    assert two_in_a_batch(ladder, callers(2)) == (1, [])
    assert charged_days(standing) == [FIRST]
    assert (rating_of(standing), DecayRun.objects.get(day=FIRST).standings) == (Decimal(948), 1)


@pytest.mark.parametrize("missing", ["locked", "asked_again"])
def test_without_lock_or_second_look_both_would_charge(
    missing: str, ladder: Ladder, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unique keys then refuse whoever comes second."""
    standing = idle(ladder)
    without_advisory_lock(monkeypatch)
    charge_otherwise(monkeypatch, **{missing: False})
    together, (error,) = two_in_a_batch(ladder, callers(2))
    assert together == (2 if missing == "locked" else 1)
    assert isinstance(error, IntegrityError)
    key = "sequence_unique_in_standing" if missing == "locked" else "one_decay_per_standing_and_day"
    assert key in str(error)
    assert charged_days(standing) == [FIRST]
    assert rating_of(standing) == 948


CUT = f"""
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = {GATE} AND NOT granted
"""


@pytest.mark.usefixtures("standings")
def test_a_connection_cut_in_the_middle_of_a_batch(
    ladder: Ladder, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = callers(1)
    with monkeypatch.context() as patch, gate() as closed:
        charge_otherwise(patch)
        (running,) = threads.start(partial(decay.bring_up_to_date, ladder))
        closed.wait_for(1)
        with connection.cursor() as cursor:
            cursor.execute(CUT)
        assert isinstance(running.exception(10), DatabaseError)
    assert RatingEntry.objects.count() == 0
    threads.at_once(connection.close)
    assert threads.at_once(bring_decay_up_to_date) == [3]
    assert_charged_once(ladder)


def test_batches_commit_on_their_own(ladder: Ladder) -> None:
    """Inside another transaction they could not, and the advisory lock would be gone before the charges are there."""
    idle(ladder)
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        decay.bring_up_to_date(ladder)
    assert RatingEntry.objects.count() == 0


# --- taking back ---


@pytest.fixture
def superuser() -> User:
    return factories.make_player(is_staff=True, is_superuser=True)


def reverse(day: date, superuser: User) -> Call:
    return lambda: decay.reverse_run(DecayRun.objects.get(day=day), actor=superuser, reason="The clock was wrong.")


@pytest.mark.usefixtures("standings")
def test_a_run_reversed_by_four_at_once(ladder: Ladder, superuser: User, callers: MakeCallers) -> None:
    decay.bring_up_to_date(ladder)
    answers = callers(4).at_once(*[reverse(DAYS[1], superuser)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict"] * 3 + ["DecayRun"]
    assert RatingEntry.objects.filter(kind="reversal").count() == 5
    assert DecayRun.objects.get(day=DAYS[1]).state == "reversed"


def test_a_run_reversed_while_a_worker_is_at_it_is_finished_by_the_next(
    ladder: Ladder, superuser: User, callers: MakeCallers
) -> None:
    standing = idle(ladder)
    decay.bring_up_to_date(ladder)
    with decay_lock(ladder):
        (run,) = callers(1).at_once(reverse(DAYS[1], superuser))
        assert run.state == "reversing"
        assert reversals_of(standing) == []
    assert decay.bring_up_to_date(ladder) == []
    assert reversals_of(standing) == [(DAYS[1], Decimal("2.00"))]
    run.refresh_from_db()
    assert run.state == "reversed"


@pytest.mark.usefixtures("standings")
def test_several_workers_reverse_each_day_once(
    ladder: Ladder, superuser: User, callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the advisory lock the unique key is what refuses a second reversal; nothing is given back twice."""
    decay.bring_up_to_date(ladder)
    before = RatingEntry.objects.filter(kind="decay").count()
    decay.declare_pause(ladder, first_day=DAYS[0], last_day=DAYS[2], actor=superuser, reason="The server was down.")
    without_advisory_lock(monkeypatch)
    answers = callers(4).at_once(*[partial(decay.bring_up_to_date, ladder)] * 4)
    assert {type(answer) for answer in answers} <= {list, IntegrityError}
    decay.bring_up_to_date(ladder)
    assert RatingEntry.objects.filter(kind="reversal").count() == before
    ratings = Standing.objects.filter(ladder=ladder).order_by("pk").values_list("rating", flat=True)
    assert list(ratings) == [Decimal(rating) for rating in RATINGS]
