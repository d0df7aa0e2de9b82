"""Sign-in to the admin, with the same limits and the same second factor as over the API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value, yield_hotp_counters_from_time
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests import factories

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/?next=/admin/"


def sign_in(client: Client, account: User, password: str = factories.PASSWORD, code: str = "") -> int:
    return client.post(LOGIN, {"username": account.username, "password": password, "code": code}).status_code


@pytest.fixture
def moderator() -> User:
    return factories.make_moderator()


@pytest.fixture
def still_time() -> Iterator[None]:
    """Stop the clock, because a code is valid for half a minute and must not expire during the test."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def code_of(secret: str) -> str:
    return f"{hotp_value(secret, next(yield_hotp_counters_from_time())):06}"


def test_the_right_password_lets_a_moderator_in(client: Client, moderator: User) -> None:
    assert sign_in(client, moderator) == 302
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("page", ["/admin/login/", "/admin/login/?next=", "/admin/login/?next=https://example.org/"])
def test_without_a_next_page_sign_in_opens_the_start_page(client: Client, moderator: User, page: str) -> None:
    answer = client.post(page, {"username": moderator.username, "password": factories.PASSWORD}, follow=True)
    assert answer.redirect_chain == [("/admin/", 302)]
    assert answer.status_code == 200


def test_a_player_is_not_let_in(client: Client) -> None:
    assert sign_in(client, factories.make_player()) == 200
    assert client.get("/admin/").status_code == 302


def test_after_too_many_wrong_passwords_the_right_one_is_refused(client: Client, moderator: User) -> None:
    for _ in range(12):
        assert sign_in(client, moderator, "wrong") == 200
    assert sign_in(client, moderator) == 200
    answer = client.post(LOGIN, {"username": moderator.username, "password": factories.PASSWORD})
    assert "Too many failed login attempts" in answer.content.decode()


@pytest.mark.usefixtures("still_time")
def test_a_second_factor_is_needed_in_the_admin(client: Client, moderator: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(moderator, secret)
    assert sign_in(client, moderator) == 200
    assert sign_in(client, moderator, code="000000") == 200
    assert client.get("/admin/").status_code == 302
    assert sign_in(client, moderator, "wrong", code_of(secret)) == 200
    assert sign_in(client, moderator, code=code_of(secret)) == 302


def test_a_recovery_code_works_once(client: Client, moderator: User) -> None:
    TOTP.activate(moderator, generate_totp_secret())
    code = RecoveryCodes.activate(moderator).get_unused_codes()[0]
    assert sign_in(client, moderator, code=code) == 302
    assert sign_in(Client(), moderator, code=code) == 200


def test_guessing_codes_is_limited(client: Client, moderator: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(moderator, secret)
    for _ in range(12):
        sign_in(client, moderator, code="000000")
    assert sign_in(client, moderator, code=code_of(secret)) == 200
