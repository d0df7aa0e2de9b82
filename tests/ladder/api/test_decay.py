"""Decay as players see it: before it comes, in their ledger, and when it is given back."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from ladder.models import Ladder, Standing
from ladder.services import decay
from tests import clients, factories
from tests.decay_days import FIRST, START, clock, decay_day, idle, old_ladder, run_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


def seen(of: Standing, when: date) -> dict[str, Any] | None:
    """What everyone sees of the standing's decay on that day; its owner sees the same."""
    with clock(when):
        (public,) = clients.anonymous().get(f"players/{of.player.username}").json()["standings"]
        (own,) = clients.player(of.player).get("me").json()["standings"]
    assert own == public
    forecast: dict[str, Any] | None = public["decay"]
    return forecast


def entries(of: Standing, **headers: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = (
        clients.anonymous(**headers).get(f"players/{of.player.username}/rating-entries").json()["results"]
    )
    return results


def pause(ladder: Ladder, first: date, last: date, reason: str = "The servers were down.") -> None:
    moderator = factories.make_player(is_superuser=True)
    decay.declare_pause(ladder, first_day=first, last_day=last, actor=moderator, reason=reason)


class TestForecast:
    def test_long_before(self, ladder: Ladder) -> None:
        assert seen(idle(ladder, "803.50"), START.date()) == {
            "starts_on": "2026-01-29",
            "running": False,
            "nightly_step": "1.00",
            "floor": "800.00",
            "floor_on": "2026-02-01",
        }

    def test_while_it_runs_it_names_the_next_night(self, ladder: Ladder) -> None:
        high = idle(ladder, "1000.50")
        run_on(ladder, FIRST)
        shown = seen(high, FIRST)
        assert shown is not None
        assert (shown["starts_on"], shown["running"], shown["nightly_step"]) == (str(decay_day(1)), True, "2.00")
        # 997.50 is 49 nights at 2 above platinum, and 99 at 1 above the floor.
        assert shown["floor_on"] == str(decay_day(1 + 49 + 99))

    def test_what_it_says_is_what_happens(self, ladder: Ladder) -> None:
        low = idle(ladder, "803.50")
        shown = seen(low, START.date())
        assert shown is not None
        run_on(ladder, date.fromisoformat(shown["floor_on"]) - timedelta(days=1))
        low.refresh_from_db()
        assert str(low.rating) == "800.50"
        run_on(ladder, date.fromisoformat(shown["floor_on"]))
        low.refresh_from_db()
        assert str(low.rating) == "800.00"
        assert seen(low, FIRST) is None

    def test_who_is_left_alone(self, ladder: Ladder) -> None:
        assert seen(idle(ladder, "799.99"), FIRST) is None
        assert seen(idle(ladder, "800.00"), FIRST) is None
        assert seen(factories.standing_of(factories.offered_match(ladder=ladder).player_one), FIRST) is None

    def test_a_declared_pause_is_taken_into_account(self, ladder: Ladder) -> None:
        low = idle(ladder, "802.00")
        pause(ladder, FIRST, decay_day(1))
        pause(ladder, decay_day(3), decay_day(3))
        shown = seen(low, START.date())
        assert shown is not None
        assert (shown["starts_on"], shown["floor_on"]) == (str(decay_day(2)), str(decay_day(4)))

    def test_a_night_that_was_interrupted_is_not_announced_again(self, ladder: Ladder) -> None:
        low = idle(ladder, "850.00")
        run_on(ladder, FIRST)
        ladder.decay_runs.filter(day=FIRST).update(state="running", finished_at=None)
        shown = seen(low, FIRST)
        assert shown is not None
        assert shown["starts_on"] == str(decay_day(1))


def test_a_ladder_says_by_what_rule(ladder: Ladder) -> None:
    factories.make_ladder("classic", rule_set="fibs-classic")
    pause(ladder, FIRST, FIRST)
    pause(ladder, decay_day(4), decay_day(6), "The hall is being painted.")
    with clock(decay_day(1)):
        shown = clients.anonymous().get("ladders/backgammon").json()
        listed = {row["slug"]: row for row in clients.anonymous().get("ladders").json()["results"]}
    assert shown["decay"] == {
        "grace_days": 28,
        "notice_days": 3,
        "floor": "800.00",
        "pauses": [
            {"first_day": str(decay_day(4)), "last_day": str(decay_day(6)), "reason": "The hall is being painted."},
        ],
    }
    assert listed["backgammon"] == shown
    assert listed["classic"]["decay"] is None


class TestLedger:
    def test_each_night_is_explained(self, ladder: Ladder) -> None:
        high = idle(ladder, "901.40")
        run_on(ladder, decay_day(1))
        second, first = entries(high)
        assert (first["kind"], first["day"], first["delta"], first["experience_after"]) == (
            "decay", "2026-01-29", "-2.00", 400,
        )  # fmt: skip
        assert first["explanation"] == (
            "no ranked match since 2026-01-01 (28 days), as diamond: -min(2, 901.40 - 800.00) = -2.00"
        )
        assert second["decay"] == {
            "idle_since": "2026-01-01",
            "idle_days": 29,
            "tier": "platinum",
            "nightly_step": "1.00",
            "floor": "800.00",
            "explanation": {
                "idle": "2026-01-30 - 2026-01-01 = 29 ≥ 28",
                "delta": "-min(1, 899.40 - 800.00) = -1.00",
                "after": "899.40 - 1.00 = 898.40",
            },
        }

    def test_what_a_pause_gives_back_says_why(self, ladder: Ladder) -> None:
        low = idle(ladder, "850.00")
        run_on(ladder, decay_day(1))
        pause(ladder, FIRST, FIRST)
        run_on(ladder, decay_day(1))
        reversal, second, first = entries(low)
        assert (reversal["kind"], reversal["reverses"], reversal["day"]) == ("reversal", first["sequence"], str(FIRST))
        assert reversal["explanation"] == "takes back entry 1, the decay of 2026-01-29: -(-1.00) = +1.00"
        assert (reversal["reason"], reversal["decay"]) == ("The servers were down.", None)
        assert (second["after"], reversal["after"]) == ("848.00", "849.00")

    def test_in_korean(self, ladder: Ladder) -> None:
        low = idle(ladder, "850.00")
        run_on(ladder, FIRST)
        pause(ladder, FIRST, FIRST)
        run_on(ladder, FIRST)
        korean = [entry["explanation"] for entry in entries(low, **{"Accept-Language": "ko"})]
        english = [entry["explanation"] for entry in entries(low)]
        assert len(korean) == 2
        assert all(text != other and "2026-01" in text for text, other in zip(korean, english, strict=True))
