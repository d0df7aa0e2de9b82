"""A moderator's day, and an operator's, as they see it."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from accounts.models import ServiceKey, User
from accounts.services import service_keys
from accounts.services.roles import ensure_moderators
from ladder.rules.match_life import Ending
from ladder.services.matches import reporting
from tests import factories
from tests.browser.conftest import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def rule(page: Page, ruling: str, reason: str, text: str) -> None:
    page.get_by_label(ruling).check()
    page.locator("select[name=reason_code]").select_option(label=reason)
    page.get_by_label("Text for the players").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Computed with the present ratings.")).to_be_visible()


def test_a_moderator_rules_a_dispute_and_later_voids_it(page: Page) -> None:
    moderator = factories.make_player("moderator01", is_staff=True)
    moderator.groups.add(ensure_moderators())
    one, two = factories.make_player("visitor01"), factories.make_player("visitor02")
    factories.confirmed_match()
    match = factories.started_match(one, two)
    reporting.report(match.pk, one, winner="visitor01", loser_score=3)
    reporting.report(match.pk, two, winner="visitor02", loser_score=4, ending=Ending.TIMED_OUT)

    sign_in(page, moderator)
    page.get_by_role("link", name="Open disputes").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    page.get_by_role("link", name="visitor01 – visitor02").click()

    left, right = page.locator("[data-side='1']"), page.locator("[data-side='2']")
    expect(left).to_contain_text(re.compile(r"Reported that visitor01 won\s+5 : 3\s+played"))
    expect(right).to_contain_text(re.compile(r"Reported that visitor02 won\s+5 : 4\s+timed out"))
    here, there = left.bounding_box(), right.bounding_box()
    assert here is not None
    assert there is not None
    assert here["y"] == there["y"]
    assert here["x"] + here["width"] <= there["x"]

    page.get_by_role("link", name="Rule this match").click()
    rule(page, "visitor02 won", "The evidence shows it", "The clock of visitor01 had run out.")
    expect(page.locator("#preview")).to_contain_text("× 4.95) = +44.27")
    assert not factories.entries_of(match)
    page.get_by_role("button", name="Confirm the ruling").click()

    expect(page.get_by_text("The match is ruled.")).to_be_visible()
    expect(page.get_by_role("blockquote").first).to_have_text("The clock of visitor01 had run out.")
    settled = page.locator("#settlement [data-entry=settlement]")
    expect(settled).to_have_count(2)
    expect(settled.filter(has_text="visitor02")).to_contain_text(re.compile(r"600\.00\s+\+44\.27\s+→\s+644\.27"))
    expect(settled.filter(has_text="visitor01")).to_contain_text(re.compile(r"600\.00\s+-44\.27\s+→\s+555\.73"))
    ruling = page.locator("#rulings [data-ruling]")
    expect(ruling).to_contain_text("visitor02 won")
    expect(ruling).to_contain_text("moderator01")

    page.get_by_role("link", name="Overturn the result").click()
    rule(page, "Void: the match does not count", "A player cheated", "Both used an engine.")
    expect(page.locator("#preview")).to_contain_text("-(+44.27) = -44.27")
    page.get_by_role("button", name="Confirm the ruling").click()

    reversals = page.locator("#settlement [data-entry=reversal]")
    expect(reversals).to_have_count(2)
    expect(reversals.filter(has_text="visitor02")).to_contain_text(re.compile(r"644\.27\s+-44\.27\s+→\s+600\.00"))
    sums: dict[int, Decimal] = {}
    for entry in factories.entries_of(match):
        sums[entry.standing_id] = sums.get(entry.standing_id, Decimal(0)) + entry.delta
    assert list(sums.values()) == [0, 0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_two_reports_stay_side_by_side_on_every_screen(page: Page, scheme: str, width: int) -> None:
    moderator = factories.make_player("moderator02", is_staff=True)
    moderator.groups.add(ensure_moderators())
    match = factories.disputed_match()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, moderator)
    page.goto(f"/admin/ladder/match/{match.pk}/change/")
    tops = {page.locator(f"[data-side='{side}']").bounding_box()["y"] for side in (1, 2)}  # type: ignore[index]
    assert len(tops) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing to scroll sideways for
    assert page.evaluate("document.documentElement.classList.contains('dark')") is (scheme == "dark")


def test_an_operator_sees_a_service_key_once(page: Page) -> None:
    operator = User.objects.create_superuser("operator01", "operator01@example.org", factories.PASSWORD)
    sign_in(page, operator)
    page.goto("/admin/accounts/servicekey/add/")
    page.get_by_label("Name").fill("north")
    page.get_by_label("report results of matches").check()
    page.get_by_role("button", name="Issue the key").click()
    secret = page.locator("#secret").inner_text()
    assert service_keys.find_valid_key(secret)

    page.reload()
    expect(page.get_by_role("link", name="Revoke this key")).to_be_visible()
    assert secret not in page.content()
    assert ServiceKey.objects.count() == 1

    page.get_by_role("link", name="Revoke this key").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The key is revoked.")).to_be_visible()
    assert service_keys.find_valid_key(secret) is None
