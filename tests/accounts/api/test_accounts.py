"""Accounts over the API: sign up, sign in, verify an address, reset a password, sign out."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest import mock
from urllib.parse import unquote

import pytest

from accounts.models import User
from tests import clients
from tests.factories import PASSWORD, make_player

pytestmark = pytest.mark.django_db

AUTH = "/_allauth/app/v1/auth"


def sign_up(username: str, **fields: Any) -> Any:
    return clients.anonymous().post(f"{AUTH}/signup", {"username": username, "password": PASSWORD, **fields})


def sign_in(**fields: Any) -> Any:
    return clients.anonymous().post(f"{AUTH}/login", {"password": PASSWORD, **fields})


def bearer(answer: Any) -> clients.Client:
    return clients.anonymous(Authorization=f"Bearer {answer.json()['meta']['access_token']}")


def test_from_sign_up_to_sign_out() -> None:
    answer = sign_up("player01")
    assert answer.status_code == 200
    assert answer.json()["data"]["user"]["username"] == "player01"
    assert not answer.cookies
    client = bearer(answer)
    assert client.get("me").json()["username"] == "player01"
    assert client.delete(f"{AUTH}/session").status_code == 401  # allauth's answer without a session
    refused = client.get("me")
    assert (refused.status_code, refused.json()["code"]) == (401, "invalid_token")
    assert bearer(sign_in(username="PLAYER01")).get("me").status_code == 200


def test_the_id_of_an_account_is_its_username() -> None:
    assert sign_up("player01").json()["data"]["user"]["id"] == "player01"


def test_signing_in_by_e_mail() -> None:
    sign_up("player01", email="one@example.org")
    assert bearer(sign_in(email="one@example.org")).get("me").json()["email"] == "one@example.org"


@pytest.mark.parametrize(
    ("username", "code"),
    [
        ("a", "username_length"),
        ("a" * 31, "max_length"),
        ("x!y", "username_characters"),
        ("-ab", "username_edges"),
        ("\N{CYRILLIC SMALL LETTER A}dmin", "username_look_alike"),
        ("\N{CYRILLIC SMALL LETTER ES}\N{CYRILLIC SMALL LETTER O}\N{CYRILLIC SMALL LETTER ES}", "username_look_alike"),
        ("TAKEN", "username_taken"),
        ("ta\N{FULLWIDTH LATIN SMALL LETTER K}en", "username_taken"),
        ("", "required"),
        ("a\x00b", "null_characters_not_allowed"),
    ],
)
def test_errors_of_usernames(username: str, code: str) -> None:
    make_player("taken")
    answer = sign_up(username)
    assert answer.status_code == 400
    assert [(error["param"], error["code"]) for error in answer.json()["errors"]] == [("username", code)]
    assert User.objects.count() == 1


def test_a_name_taken_at_the_same_moment() -> None:
    make_player("taken")
    with mock.patch.object(type(User.objects), "is_taken", return_value=False):
        answer = sign_up("taken")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "username_taken")


def test_weak_passwords_are_explained() -> None:
    answer = sign_up("player01", password="1234567")
    codes = {error["code"] for error in answer.json()["errors"]}
    assert (answer.status_code, codes) == (400, {"password_too_short", "password_too_common"})


def test_verifying_an_address(mailoutbox: list[Any]) -> None:
    client = bearer(sign_up("player01", email="one@example.org"))
    assert client.get("me").json()["email_verified"] is False
    key = re.search(r"/verify-email/(\S+)", mailoutbox[0].body)
    assert key
    assert clients.anonymous().post(f"{AUTH}/email/verify", {"key": unquote(key[1])}).status_code == 401
    assert client.get("me").json()["email_verified"] is True


def test_e_mails_are_in_the_language_of_the_account(mailoutbox: list[Any]) -> None:
    korean = {"username": "player01", "password": PASSWORD, "email": "one@example.org"}
    clients.anonymous(**{"Accept-Language": "ko"}).post(f"{AUTH}/signup", korean)
    assert User.objects.get().language == "ko"
    clients.anonymous().post(f"{AUTH}/password/request", {"email": "one@example.org"})
    bearer(sign_in(username="player01")).patch("me", {"language": "en"})
    clients.anonymous(**{"Accept-Language": "ko"}).post(f"{AUTH}/password/request", {"email": "one@example.org"})
    assert [bool(re.search("[가-힣]", mail.body)) for mail in mailoutbox] == [True, True, False]


def test_resetting_a_password_ends_all_sessions(mailoutbox: list[Any]) -> None:
    client = bearer(sign_up("player01", email="one@example.org"))
    asked = clients.anonymous().post(f"{AUTH}/password/request", {"email": "one@example.org"})
    code = re.search(r"^([A-Z0-9]{4}-[A-Z0-9]{4})$", mailoutbox[-1].body, re.MULTILINE)
    assert code
    clients.anonymous().post(
        f"{AUTH}/password/reset",
        {"key": code[1], "password": "another horse 42"},
        headers={"X-Session-Token": asked.json()["meta"]["session_token"]},
    )
    assert client.get("me").status_code == 401
    assert sign_in(username="player01").status_code == 400
    assert sign_in(username="player01", password="another horse 42").status_code == 200


def test_a_session_without_an_account_is_not_a_token() -> None:
    make_player("player01")
    asked = clients.anonymous().post(f"{AUTH}/password/request", {"email": "player01@example.org"})
    token = asked.json()["meta"]["session_token"]
    answer = clients.anonymous(Authorization=f"Bearer {token}").get("me")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


def test_a_second_factor_can_be_set_up(mailoutbox: list[Any]) -> None:
    client = bearer(sign_up("player01"))
    assert client.get("/_allauth/app/v1/account/authenticators").json()["data"] == []
    totp = client.get("/_allauth/app/v1/account/authenticators/totp")
    assert totp.status_code == 404
    assert totp.json()["meta"]["totp_url"].startswith("otpauth://totp/")


def test_guessing_passwords_is_limited() -> None:
    make_player("player01")
    codes = [sign_in(username="player01", password=f"guess {n}").json()["errors"][0]["code"] for n in range(7)]
    assert codes[0] == "username_password_mismatch"
    assert codes[-1] == "too_many_login_attempts"


def test_signing_up_in_bulk_is_limited() -> None:
    answers = [sign_up(f"player{number:02}") for number in range(21)]
    assert [answer.status_code for answer in answers[-2:]] == [200, 429]
    assert answers[-1].headers["Retry-After"] == "60"


def test_limits_count_addresses_behind_our_own_proxies() -> None:
    make_player("player01")
    for number in range(31):
        answer = clients.anonymous(**{"X-Forwarded-For": f"203.0.113.{number}"}).post(f"{AUTH}/login", {})
    assert answer.status_code == 429, "an address that anyone can write must not be believed"


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b"[" * 30_000, b'{"username": "' + b"x" * 3_000_000])
def test_invalid_bodies(body: bytes) -> None:
    answer = clients.anonymous().generic("POST", f"{AUTH}/signup", body, content_type="application/json")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.parametrize(
    "body",
    [
        {"username": {"a": 1}, "password": []},
        {"username": "\ud800x", "password": PASSWORD},
        {"username": "player01", "password": "\ud800 horse 42"},
        {"username": "player01", "password": PASSWORD, "email": "a\x00@b.c"},
        {"username": "player01", "password": PASSWORD, "email": "\ud800@b.example"},
    ],
)
@pytest.mark.parametrize("address", ["signup", "login", "password/request"])
def test_invalid_fields(body: Any, address: str) -> None:
    answer = clients.anonymous().generic("POST", f"{AUTH}/{address}", json.dumps(body), content_type="application/json")
    assert answer.status_code in (400, 401)


def test_invalid_tokens() -> None:
    for token in ("\x00", "x", "ü"):
        assert clients.anonymous(**{"X-Session-Token": token}).get(f"{AUTH}/session").status_code == 410


def test_the_configuration_can_be_read() -> None:
    specification = clients.anonymous().get("/_allauth/openapi.json").json()
    assert specification["paths"]


def test_browsers_with_cookies_are_refused() -> None:
    assert clients.anonymous().get("/_allauth/browser/v1/config").status_code == 404
    player = make_player()
    browser = clients.Client()
    browser.force_login(player)
    assert browser.get("me").status_code == 401
