"""A moderator opens the queue page and an offer, and lifts a penalty."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.services.roles import ensure_moderators
from matchmaking.admin import ticket
from matchmaking.models import Penalty
from tests import factories
from tests.browser.conftest import sign_in
from tests.matchmaking.queueing import declined, queued

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUEUE = "/admin/matchmaking/ticket/queue/"


@pytest.fixture
def moderator(monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(ticket, "QUEUE_PAGE_SECONDS", 1)
    account = factories.make_player("moderator01", is_staff=True)
    account.groups.add(ensure_moderators())
    return account


def test_the_page_updates_and_keeps_the_focus(page: Page, moderator: User) -> None:
    first = queued(factories.make_player("player01"))
    sign_in(page, moderator)
    page.get_by_role("link", name="hourglass_top Queue").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Queue")
    row = page.locator("#queue tbody tr")
    expect(row).to_contain_text("No other player is waiting.")
    page.get_by_role("link", name="player01").focus()

    queued(factories.make_player("player02"))
    expect(row).to_have_count(2)
    expect(row.first).to_contain_text("The next wave will offer a match.")
    expect(page.locator(f"#ticket-{first.pk}")).to_be_focused()

    page.get_by_role("link", name="Pause", exact=True).click()
    expect(page.get_by_text("Paused.")).to_be_visible()
    queued(factories.make_player("player03"))
    page.wait_for_timeout(2500)
    expect(row).to_have_count(2)
    page.get_by_role("link", name="Resume").click()
    expect(row).to_have_count(3)


def test_after_sign_out_the_sign_in_page_is_shown(page: Page, moderator: User) -> None:
    queued()
    sign_in(page, moderator)
    page.goto(QUEUE)
    Session.objects.all().delete()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_a_penalty_is_lifted(page: Page, moderator: User) -> None:
    penalty = declined(factories.make_player("player01"))
    sign_in(page, moderator)
    page.get_by_role("link", name="handshake Offers").click()
    page.locator("#result_list tbody tr").get_by_role("link").first.click()
    expect(page.locator("[data-side]").filter(has_text="player01")).to_contain_text("Declined the offer.")
    page.get_by_role("link", name="declined an offer").click()
    page.get_by_role("link", name="Lift this penalty").click()
    expect(page.get_by_text("later penalties are not longer")).to_be_visible()
    page.get_by_label("Reason").fill("The server was at fault.")
    page.get_by_role("button", name="Lift the penalty").click()
    expect(page.get_by_text("The penalty is lifted.")).to_be_visible()
    expect(page.get_by_role("link", name="Lift this penalty")).to_have_count(0)
    assert Penalty.objects.get(pk=penalty.pk).lifted_by == moderator


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_all_columns_are_visible_on_all_screens(page: Page, moderator: User, scheme: str, width: int) -> None:
    one, two = factories.make_players(2)
    for _ in range(2):
        factories.confirmed_match(one, two)
    queued(one)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, moderator)
    for url, last in (
        (f"{QUEUE}?live=0", "No other player is waiting."),
        ("/admin/matchmaking/offer/opponents/", "Their matches"),
    ):
        page.goto(url)
        box = page.get_by_text(last).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 390:  # the name of each column stands before its value
            assert re.match(
                '"[A-Z]', page.evaluate("getComputedStyle(document.querySelector('td'), '::before').content")
            )
