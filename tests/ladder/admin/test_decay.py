"""Decay in the admin: nights are looked at and reversed, pauses declared and ended early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from config.celery import app
from ladder import tasks
from ladder.admin import decay_pause
from ladder.models import DecayPause, DecayRun, Ladder, RatingEntry, Standing
from ladder.services import decay
from tests.decay_days import FIRST, at, clock, decay_day, idle, old_ladder, run_on
from tests.staff import said

pytestmark = pytest.mark.django_db

RUNS = "/admin/ladder/decayrun/"
DECLARE = "/admin/ladder/decaypause/add/"


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


@pytest.fixture(autouse=True)
def _today() -> Iterator[None]:
    with clock(decay_day(1)):
        yield


class TestRuns:
    def test_the_list_shows_progress_and_points(self, ladder: Ladder, moderating: Client) -> None:
        for rating in ("1050.00", "950.00", "850.00"):
            idle(ladder, rating)
        run_on(ladder, FIRST)
        response = moderating.get(RUNS)
        (progress,) = response.context["progress"]
        assert (progress.through, progress.lag_days, progress.is_behind) == (FIRST, 1, False)
        chart = json.loads(response.context["chart"].data)
        assert [(tier["label"], sum(tier["data"])) for tier in chart["datasets"]] == [
            ("platinum", 1.0), ("diamond", 2.0), ("master", 3.0),
        ]  # fmt: skip
        assert chart["labels"][-2:] == ["01-29", "01-30"]
        assert chart["datasets"][0]["data"][-2:] == [1.0, 0]
        assert "run through 2026-01-29" in response.content.decode()

    def test_the_chart_is_of_the_ladder_that_is_looked_at(self, ladder: Ladder, moderating: Client) -> None:
        other = old_ladder("other")
        idle(other, "950.00")
        run_on(ladder, FIRST)
        run_on(other, FIRST)
        assert moderating.get(RUNS, {"ladder__id__exact": ladder.pk}).context["chart"] is None
        assert moderating.get(RUNS, {"ladder__id__exact": other.pk}).context["chart"] is not None
        assert moderating.get(RUNS, {"ladder__id__exact": "x"}).status_code == 302

    def test_a_ladder_in_the_east_is_ahead_of_this_calendar(self, moderating: Client) -> None:
        seoul = old_ladder("seoul", time_zone="Asia/Seoul")
        idle(seoul)
        with clock(at(FIRST, 20)):  # the 30th in Seoul
            decay.bring_up_to_date(seoul)
            chart = json.loads(moderating.get(RUNS).context["chart"].data)
        assert (chart["labels"][-1], chart["datasets"][0]["data"][-2:]) == ("01-30", [2.0, 2.0])

    def test_being_behind_and_failing_shows_on_the_first_page(self, ladder: Ladder, moderating: Client) -> None:
        run_on(ladder, FIRST)
        DecayRun.objects.create(ladder=ladder, day=decay_day(1), error="OperationalError: disk full")
        with clock(decay_day(3)):
            content = moderating.get("/admin/").content.decode()
        assert "3 days behind" in content
        assert "OperationalError: disk full" in content

    def test_a_run_shows_its_totals(self, ladder: Ladder, moderating: Client) -> None:
        idle(ladder, "1050.00")
        idle(ladder, "800.40")
        (*_, run) = run_on(ladder, FIRST)
        response = moderating.get(reverse("admin:ladder_decayrun_change", args=[run.pk]))
        assert [(tier, number, str(points)) for tier, number, points in response.context["tiers"]] == [
            ("master", 1, "3.00"), ("platinum", 1, "0.40"),
        ]  # fmt: skip
        assert response.context["may_reverse"] is False


class TestReversing:
    @pytest.fixture
    def charged(self, ladder: Ladder) -> Standing:
        return idle(ladder, "950.00")

    @pytest.fixture
    def revert(self, ladder: Ladder, charged: Standing) -> str:
        run_on(ladder, decay_day(1))
        return reverse("admin:ladder_decayrun_reverse", args=[DecayRun.objects.get(day=FIRST).pk])

    def test_the_preview_and_the_reversal(self, revert: str, charged: Standing, operating, operator) -> None:
        before = operating.get(revert)
        assert (before.context["total"].standings, str(before.context["total"].points)) == (1, "2.00")
        response = operating.post(revert, {"reason": "The clock was wrong."}, follow=True)
        assert "The run is reversed" in said(response)
        charged.refresh_from_db()
        assert str(charged.rating) == "948.00"
        reversal = RatingEntry.objects.get(kind="reversal")
        assert (reversal.day, reversal.actor, reversal.reason) == (FIRST, operator, "The clock was wrong.")
        assert AuditEntry.objects.get(action="decay.reverse").actor == operator
        assert "Reversed by operator01" in response.content.decode()

    def test_a_second_press_reverses_nothing(self, revert: str, operating) -> None:
        operating.post(revert, {"reason": "The clock was wrong."})
        again = operating.post(revert, {"reason": "The clock was wrong."}, follow=True)
        assert "only once" in said(again)
        assert RatingEntry.objects.filter(kind="reversal").count() == 1
        assert "cannot be reversed" in said(operating.get(revert, follow=True))

    @pytest.mark.parametrize("reason", ["", "  "])
    def test_not_without_a_reason(self, revert: str, operating, reason: str) -> None:
        response = operating.post(revert, {"reason": reason})
        assert response.context["form"].errors["reason"]
        assert not RatingEntry.objects.filter(kind="reversal").exists()

    def test_what_a_pause_gave_back_is_not_counted_again(
        self, revert: str, ladder: Ladder, operating, operator
    ) -> None:
        decay.declare_pause(ladder, first_day=FIRST, last_day=FIRST, actor=operator, reason="Down.")
        run_on(ladder, decay_day(1))
        assert operating.get(revert).context["total"] == decay.DecayTotal(0, Decimal(0))

    def test_there_is_no_such_run(self, operating) -> None:
        assert operating.get(reverse("admin:ladder_decayrun_reverse", args=[999_999_999])).status_code == 302


class TestDeclaring:
    def form(self, ladder: Ladder, first: date = FIRST, last: date = FIRST, **more: str) -> dict[str, Any]:
        return {"ladder": ladder.pk, "first_day": first, "last_day": last, "reason": "The servers were down.", **more}

    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        names: list[str] = []
        monkeypatch.setattr(decay_pause, "run_soon", lambda task: names.append(task.name))
        return names

    def test_first_it_shows_what_it_would_do(self, ladder: Ladder, moderating: Client, sent: list[str]) -> None:
        idle(ladder, "950.00")
        idle(ladder, "1050.00")
        run_on(ladder, FIRST)
        response = moderating.post(DECLARE, self.form(ladder, last=decay_day(2)))
        assert (response.context["total"].standings, str(response.context["total"].points)) == (2, "5.00")
        assert (response.context["days"], response.context["ahead"]) == (3, 2)
        assert not DecayPause.objects.exists()
        assert not AuditEntry.objects.exists()
        assert sent == []

    def test_it_is_declared_and_a_worker_reverses(
        self, ladder: Ladder, moderating: Client, moderator, sent: list[str], django_capture_on_commit_callbacks
    ) -> None:
        charged = idle(ladder, "950.00")
        run_on(ladder, FIRST)
        with django_capture_on_commit_callbacks(execute=True):
            response = moderating.post(DECLARE, self.form(ladder, confirm="yes"), follow=True)
        assert "The pause is declared." in said(response)
        pause = DecayPause.objects.get()
        assert (pause.declared_by, pause.reason) == (moderator, "The servers were down.")
        assert AuditEntry.objects.get().action == "decay.pause"
        assert sent == [tasks.bring_decay_up_to_date.name]
        tasks.bring_decay_up_to_date()
        charged.refresh_from_db()
        assert str(charged.rating) == "948.00"  # the night of the 29th is back, that of today is charged

    def test_with_the_broker_away_it_is_declared_all_the_same(
        self, ladder: Ladder, moderating: Client, monkeypatch, django_capture_on_commit_callbacks
    ) -> None:
        monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
        monkeypatch.setattr(app, "amqp", type(app.amqp)(app))
        with django_capture_on_commit_callbacks(execute=True):
            response = moderating.post(DECLARE, self.form(ladder, confirm="yes"))
        assert response.status_code == 302
        assert DecayPause.objects.count() == 1

    def test_back_to_the_form(self, ladder: Ladder, moderating: Client) -> None:
        response = moderating.post(DECLARE, self.form(ladder, back="yes"))
        assert response.context["form"]["reason"].value() == "The servers were down."

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"first_day": "2026-02-02", "last_day": "2026-02-01"}, "last_day"),
            ({"last_day": "2206-01-29"}, "last_day"),
            ({"first_day": "yesterday"}, "first_day"),
            ({"reason": ""}, "reason"),
            ({"ladder": ""}, "ladder"),
        ],
    )
    @pytest.mark.parametrize("confirm", [{}, {"confirm": "yes"}])
    def test_errors_are_shown_at_their_field(self, ladder: Ladder, moderating, wrong, field, confirm) -> None:
        response = moderating.post(DECLARE, {**self.form(ladder), **wrong, **confirm})
        assert list(response.context["form"].errors) == [field]
        assert not DecayPause.objects.exists()

    def test_only_ladders_that_decay_are_offered(self, ladder: Ladder, moderating: Client) -> None:
        Ladder.objects.create(slug="classic", name="Classic", rule_set="fibs-classic")
        assert list(moderating.get(DECLARE).context["form"].fields["ladder"].queryset) == [ladder]


class TestEndingEarly:
    @pytest.fixture
    def pause(self, ladder: Ladder, moderator) -> DecayPause:
        return decay.declare_pause(ladder, first_day=FIRST, last_day=decay_day(9), actor=moderator, reason="Down.")

    def test_it_ends_earlier_with_a_reason(self, pause: DecayPause, moderating: Client, moderator) -> None:
        page = reverse("admin:ladder_decaypause_change", args=[pause.pk])
        assert moderating.get(page).context["can_end"] is True
        url = reverse("admin:ladder_decaypause_end", args=[pause.pk])
        assert moderating.get(url).context["form"]["last_day"].value() == FIRST  # yesterday
        response = moderating.post(url, {"last_day": decay_day(2), "reason": "They are up again."}, follow=True)
        assert "ends earlier now" in said(response)
        pause.refresh_from_db()
        assert pause.last_day == decay_day(2)
        entry = AuditEntry.objects.get(action="decay.end_pause")
        assert (entry.actor, entry.reason) == (moderator, "They are up again.")

    @pytest.mark.parametrize("last_day", [decay_day(-1), decay_day(9), decay_day(10)])
    def test_neither_before_yesterday_nor_later(self, pause: DecayPause, moderating: Client, last_day: date) -> None:
        url = reverse("admin:ladder_decaypause_end", args=[pause.pk])
        response = moderating.post(url, {"last_day": last_day, "reason": "x"})
        assert "The new end must be from" in response.context["form"].errors["last_day"][0]

    def test_what_is_over_is_not_ended(self, ladder: Ladder, moderating: Client, moderator) -> None:
        over = decay.declare_pause(ladder, first_day=FIRST, last_day=FIRST, actor=moderator, reason="Down.")
        page = reverse("admin:ladder_decaypause_change", args=[over.pk])
        assert moderating.get(page).context["can_end"] is False


def test_the_ledger_explains_decay_and_reversals(ladder: Ladder, operating, operator) -> None:
    idle(ladder, "800.40")
    (*_, run) = run_on(ladder, FIRST)
    decay.reverse_run(run, actor=operator, reason="A test.")
    charge, reversal = (
        operating.get(reverse("admin:ladder_ratingentry_change", args=[entry.pk])).content.decode()
        for entry in RatingEntry.objects.order_by("pk")
    )
    assert "2026-01-29 - 2026-01-01 = 28 ≥ 28" in charge
    assert "-min(1, 800.40 - 800.00) = -0.40" in charge
    assert "The exact opposite of entry 1, the decay of 2026-01-29" in reversal
    assert "-(-0.40) = +0.40" in reversal
