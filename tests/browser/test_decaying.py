"""Decay as moderators and operators see it."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.services.roles import ensure_moderators
from ladder import tasks
from ladder.models import DecayRun, Ladder, RatingEntry, Standing
from tests import factories
from tests.browser.conftest import sign_in
from tests.decay_days import idle, old_ladder, rating_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder(made=timezone.now() - timedelta(days=40))


@pytest.fixture
def charged(ladder: Ladder) -> Standing:
    """A diamond player to whom the last three nights have happened."""
    standing = idle(ladder, "950.00", since=timezone.now() - timedelta(days=30))
    tasks.bring_decay_up_to_date()
    return standing


def days_ago(number: int) -> date:
    return (timezone.now() - timedelta(days=number)).date()


def test_a_moderator_declares_a_pause_after_the_fact_and_ends_it_early(page: Page, charged: Standing) -> None:
    moderator = factories.make_player("moderator01", is_staff=True)
    moderator.groups.add(ensure_moderators())

    sign_in(page, moderator)
    expect(page.locator("#decay")).to_contain_text("up to date")
    page.get_by_role("link", name="Pauses").click()
    page.goto("/admin/ladder/decaypause/add/")
    page.locator("[name=first_day]").fill(str(days_ago(1)))
    page.locator("[name=last_day]").fill(str(days_ago(-3)))
    page.get_by_label("Reason").fill("The game servers were down.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text(
        "1 standing gets 4.00 points back, with one reversal for each day."
    )
    expect(page.locator("#preview")).to_contain_text("3 future days will have no decay.")
    page.get_by_role("button", name="Declare the pause").click()
    expect(page.get_by_text("The pause is declared.")).to_be_visible()

    tasks.bring_decay_up_to_date()  # as the worker does, to whom the page has sent it
    assert str(rating_of(charged)) == "948.00"
    page.goto(f"/admin/ladder/ratingentry/?standing={charged.pk}")
    rows = page.locator("#result_list tbody tr")
    expect(rows.filter(has_text="reversal")).to_have_count(2)
    expect(rows.first).to_contain_text(re.compile(r"\+2\.00\s+946\.00\s+948\.00"))
    rows.first.get_by_role("link").first.click()
    expect(page.get_by_text("The game servers were down.")).to_be_visible()
    expect(page.get_by_text("The exact opposite of entry")).to_contain_text("the decay of")

    page.get_by_role("link", name="Pauses").click()
    page.locator("#result_list tbody tr").first.get_by_role("link").first.click()
    page.get_by_role("link", name="End it early").click()
    expect(page.get_by_label("New end")).to_have_value(str(days_ago(1)))
    page.get_by_label("New end").fill(str(days_ago(0)))
    page.get_by_label("Reason").fill("They are up again.")
    page.get_by_role("button", name="End the pause").click()
    expect(page.get_by_text("The pause ends earlier now.")).to_be_visible()


def test_a_superuser_reverses_a_night(page: Page, charged: Standing) -> None:
    operator = User.objects.create_superuser("operator01", "operator01@example.org", factories.PASSWORD)

    sign_in(page, operator)
    page.get_by_role("link", name=re.compile("Decay$")).click()
    expect(page.locator("#chart canvas")).to_be_visible()
    page.locator("#result_list tbody tr").first.get_by_role("link").first.click()
    expect(page.locator("#totals")).to_contain_text(re.compile(r"diamond\s+1 standing\s+2\.00"))
    page.get_by_role("link", name="Reverse this run").click()
    expect(page.locator("#total")).to_contain_text("1 standing gets 2.00 points back")
    page.get_by_label("Reason").fill("The clock of the server was wrong.")
    page.get_by_role("button", name="Reverse the run").click()

    expect(page.get_by_text("The run is reversed")).to_be_visible()
    expect(page.get_by_role("blockquote")).to_have_text("The clock of the server was wrong.")
    expect(page.get_by_role("link", name="Reverse this run")).to_have_count(0)
    assert DecayRun.objects.latest("day").state == "reversed"
    assert str(rating_of(charged)) == "946.00"
    assert RatingEntry.objects.filter(kind="reversal").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_nights_fit_on_every_screen(page: Page, charged: Standing, scheme: str, width: int) -> None:
    operator = User.objects.create_superuser("operator02", "operator02@example.org", factories.PASSWORD)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, operator)
    page.goto("/admin/ladder/decayrun/")
    expect(page.locator("#chart canvas")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
