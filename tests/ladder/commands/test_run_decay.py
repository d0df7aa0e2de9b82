"""Decay as an operator calls it."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from events.models import Event
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from ladder.services import decay
from tests import factories
from tests.decay_days import FIRST, START, clock, decay_day, idle, old_ladder, run_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    ladder = old_ladder()
    run_on(ladder, FIRST - timedelta(days=1))
    return ladder


def call(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("run_decay", *arguments, stdout=out, no_color=True)
    return out.getvalue().splitlines()


def test_it_runs_the_days_that_are_due(ladder: Ladder) -> None:
    idle(ladder, "1000.50")
    idle(ladder, "800.40")
    with clock(decay_day(1)):
        assert call() == [
            "backgammon 2026-01-29: completed, 3.40 points from 2 standings",
            "backgammon 2026-01-30: completed, 2.00 points from 1 standing",
        ]
        assert call() == ["backgammon: no day is due"]
    assert RatingEntry.objects.count() == 3


def test_only_up_to_a_day(ladder: Ladder) -> None:
    with clock(decay_day(3)):
        assert call("--date", str(decay_day(1)), "--ladder", "backgammon") == [
            "backgammon 2026-01-29: completed, 0.00 points from 0 standings",
            "backgammon 2026-01-30: completed, 0.00 points from 0 standings",
        ]
        assert decay.next_day(ladder) == decay_day(2)
        assert call("--date", str(decay_day(1))) == ["backgammon: no day is due"]


def test_a_dry_run_names_everyone_and_changes_nothing(ladder: Ladder) -> None:
    high, low = idle(ladder, "1000.50"), idle(ladder, "800.40")
    idle(ladder, "950.00", START + timedelta(days=20))
    before = (list(Standing.objects.order_by("pk").values()), DecayRun.objects.count())
    with clock(decay_day(1)):
        assert call("--dry-run") == [
            "backgammon 2026-01-29: would take 3.40 points from 2 standings",
            f"  {high.player}: 1000.50 - 3.00 = 997.50 (last ranked match 2026-01-01)",
            f"  {low.player}: 800.40 - 0.40 = 800.00 (last ranked match 2026-01-01)",
            "backgammon 2026-01-30: would take 2.00 points from 1 standing",
            f"  {high.player}: 997.50 - 2.00 = 995.50 (last ranked match 2026-01-01)",
        ]
    assert (list(Standing.objects.order_by("pk").values()), DecayRun.objects.count()) == before
    assert not RatingEntry.objects.exists()
    assert not Event.objects.exists()


def test_a_pause_shows_in_both(ladder: Ladder) -> None:
    idle(ladder, "950.00")
    with clock(decay_day(0)):
        operator = factories.make_player(is_superuser=True)
        decay.declare_pause(ladder, first_day=FIRST, last_day=FIRST, actor=operator, reason="Down.")
        assert call("--dry-run") == ["backgammon 2026-01-29: skipped: decay pause"]
        assert call() == ["backgammon 2026-01-29: skipped: decay pause, 0.00 points from 0 standings"]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    ("date", "reason"),
    [
        ("2026-01-30", "backgammon: 2026-01-30 has not started yet in UTC."),
        ("2025-12-31", "backgammon: The ladder was created on 2026-01-01, after 2025-12-31."),
        ("yesterday", "Error: argument --date: 'yesterday' is not a day: give it as YYYY-MM-DD"),
    ],
)
def test_days_that_cannot_be_are_refused_with_the_reason(
    ladder: Ladder, date: str, reason: str, more: list[str]
) -> None:
    with clock(FIRST), pytest.raises(CommandError) as refused:
        call("--date", date, *more)
    assert str(refused.value) == reason


def test_nothing_is_charged_where_one_of_the_ladders_refuses(ladder: Ladder) -> None:
    idle(ladder, "950.00")
    with clock(decay_day(1)):
        factories.make_ladder("younger")
        with pytest.raises(CommandError, match="younger: The ladder was created on 2026-01-30"):
            call("--date", str(FIRST))
    assert not RatingEntry.objects.exists()


def test_ladders_by_other_rules_are_left_out(ladder: Ladder) -> None:
    factories.make_ladder("classic", rule_set="fibs-classic")
    with clock(FIRST):
        assert call("--date", str(FIRST)) == ["backgammon 2026-01-29: completed, 0.00 points from 0 standings"]
    assert call("--ladder", "classic") == ["No ladder has rules with decay."]
    with pytest.raises(CommandError, match="no such ladder"):
        call("--ladder", "none")
