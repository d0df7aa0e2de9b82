"""A real Chromium against the running pages."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests import factories
from tests.conftest import CHROMIUM

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
]  # fmt: skip
WIDE = ViewportSize(width=1280, height=900)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # Playwright's loop runs in the thread of the tests, where Django would take the ORM to be called from async code.
    # Both end with the last test of this package.
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A fresh window; at the end nothing may have gone wrong in it that a user would not see."""
    context = browser.new_context(base_url=live_server.url, viewport=WIDE)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    # What a click on the next page cuts short is not a failure.
    page.on(
        "requestfailed",
        lambda request: None if request.failure == "net::ERR_ABORTED" else wrong.append(f"failed: {request.url}"),
    )
    page.on("response", lambda answer: wrong.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None)
    yield page
    context.close()
    assert wrong == []


def sign_in(page: Page, account: User) -> None:
    page.goto("/admin/")
    page.get_by_label("Username").fill(account.username)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
