"""A moderator suspends a player and lifts the suspension."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Suspension
from accounts.services.roles import ensure_moderators
from tests import factories
from tests.browser.conftest import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_moderator_suspends_an_account_and_lifts_it(page: Page) -> None:
    player = factories.make_player("player01")
    moderator = factories.make_player("moderator01", is_staff=True)
    moderator.groups.add(ensure_moderators())

    sign_in(page, moderator)
    page.goto("/admin/accounts/user/?q=player")
    page.get_by_role("link", name="player01").click()
    page.get_by_role("link", name="Suspend this account").click()
    next_week = (timezone.now() + timedelta(days=7)).date()
    page.locator("[name=until_0]").fill("2020-01-01")
    page.locator("[name=until_1]").fill("12:00")
    page.get_by_label("Reason").fill("Stalling in every match.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The end of a suspension must be in the future, within ten years.")).to_be_visible()
    page.locator("[name=until_0]").fill(str(next_week))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text(f"player01 cannot start a match until {next_week} 12:00 UTC")
    page.get_by_role("button", name="Suspend the account").click()
    expect(page.get_by_text("The account is suspended.")).to_be_visible()

    page.locator("#nav-sidebar").get_by_role("link", name="Accounts").click()
    page.get_by_role("link", name="player01").click()
    expect(page.locator("#suspension")).to_contain_text("Stalling in every match.")
    page.get_by_role("link", name=re.compile("block Suspensions")).click()
    rows = page.locator("#result_list tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text(re.compile("player01.*in force", re.DOTALL))
    rows.first.get_by_role("link").first.click()
    page.get_by_role("link", name="Lift this suspension").click()
    page.get_by_label("Reason").fill("The player was ill.")
    page.get_by_role("button", name="Lift the suspension").click()
    expect(page.get_by_text("The suspension is lifted: the account can play again.")).to_be_visible()
    suspension = Suspension.objects.get()
    assert (suspension.account, suspension.lifted_by, suspension.lifted_reason) == (
        player,
        moderator,
        "The player was ill.",
    )
