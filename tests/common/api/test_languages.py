"""Messages in Korean and English, with the same codes."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from tests import clients
from tests.factories import (
    PASSWORD,
    awaiting_match,
    cancelled_match,
    confirmed_match,
    disputed_match,
    make_ladder,
    make_moderator,
    make_player,
    make_service_key,
    offered_match,
    started_match,
    voided_match,
)

HANGUL = re.compile("[가-힣]")
CATALOGUE = Path(settings.BASE_DIR, "locale/ko/LC_MESSAGES")
KOREAN = {"Accept-Language": "ko-KR,ko;q=0.9,en;q=0.5"}


def texts(problem: dict[str, Any]) -> list[str]:
    return [problem["title"], problem["detail"], *(error["detail"] for error in problem["errors"])]


def refused_in_korean(client: clients.Client, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """The problem in Korean, after a check that it has the same code as in English."""
    english, korean = (
        client.generic(method, path, clients.json_of(body), content_type="application/json", headers=headers)
        for headers in ({}, KOREAN)
    )
    assert english.status_code == korean.status_code >= 400
    assert korean.headers["Content-Language"] == "ko"
    in_english, in_korean = english.json(), korean.json()
    assert in_english["code"] == in_korean["code"]
    assert [text for text in texts(in_english) if HANGUL.search(text)] == []
    assert [text for text in texts(in_korean) if not HANGUL.search(text)] == []
    problem: dict[str, Any] = in_korean
    return problem


@pytest.mark.django_db
class TestRefusals:
    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("GET", "me"),
            ("GET", "nothing"),
            ("PUT", "ladders"),
            ("GET", "ladders/none"),
            ("GET", "players/nobody"),
            ("GET", "matches/00000000-0000-7000-8000-000000000000"),
            ("GET", "ladders/backgammon/leaderboard?tier=wood"),
            ("GET", "ladders/backgammon/leaderboard?cursor=x"),
            ("GET", "ladders/backgammon/leaderboard?page_size=0"),
            ("GET", "ladders/backgammon/leaderboard?page_size=x"),
            ("GET", "players/player01/matches?ladder=%25"),
        ],
    )
    def test_reading(self, method: str, path: str) -> None:
        make_ladder()
        make_player("player01")
        refused_in_korean(clients.anonymous(), method, path)

    @pytest.mark.parametrize("token", ["x"])
    def test_credentials(self, token: str) -> None:
        refused_in_korean(clients.anonymous(Authorization=f"Bearer {token}"), "GET", "me")
        refused_in_korean(clients.game_server(token), "GET", "ladders")
        refused_in_korean(clients.player(make_player()), "GET", f"{'x' * 3}/y")

    @pytest.mark.parametrize("make", [offered_match, started_match, awaiting_match, disputed_match, confirmed_match,
                                      voided_match, cancelled_match])  # fmt: skip
    def test_actions_that_do_not_fit_the_match(self, make: Any) -> None:
        match = make()
        for player in (match.player_one, match.player_two):
            client = clients.player(player)
            for action in ("accept", "decline", "confirm", "dispute", "report"):
                # A report by the loser would confirm the match; one against a finished match is refused.
                body = {"winner": player.username} if action == "report" else None
                answer = client.generic(
                    "POST",
                    f"matches/{match.pk}/{action}",
                    clients.json_of(body),
                    content_type="application/json",
                    headers=KOREAN,
                )
                if answer.status_code != 200:
                    assert [text for text in texts(answer.json()) if not HANGUL.search(text)] == []

    @pytest.mark.parametrize(
        "body",
        [
            {},
            [],
            {"winner": None},
            {"winner": 5},
            {"winner": ""},
            {"winner": "\x00"},
            {"winner": "x" * 200},
            {"winner": "nobody"},
            {"winner": "player", "loser_score": 7},
            {"winner": "player", "loser_score": -1},
            {"winner": "player", "loser_score": 1000},
            {"winner": "player", "loser_score": "x"},
            {"winner": "player", "ending": "x"},
            {"winner": "player", "ending": None},
            {"winner": "player", "extra": 1},
        ],
    )
    def test_a_report_that_breaks_a_rule(self, body: Any) -> None:
        match = started_match()
        if isinstance(body, dict) and body.get("winner") == "player":
            body = {**body, "winner": match.player_one.username}
        refused_in_korean(clients.player(match.player_one), "POST", f"matches/{match.pk}/report", body)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"winner": "nobody"},
            {"void_reason": "x"},
            {"void_reason": "nobody_moved", "loser_score": 1},
        ],
    )
    def test_a_servers_result_that_breaks_a_rule(self, body: Any) -> None:
        match = started_match()
        client = clients.game_server(make_service_key())
        refused_in_korean(client, "POST", f"server/matches/{match.pk}/result", body)

    @pytest.mark.parametrize(
        "body",
        [
            {"match_length": 100, "players": [{}, {}]},
            {"match_length": 5, "players": [{}]},
            {"match_length": 5, "players": [{}, {}, {}]},
            {"match_length": 5, "players": 5},
            {"match_length": 5, "players": [{}, {"rating": "x"}]},
            {"match_length": 5, "players": [{}, {"rating": "1.234"}]},
            {"match_length": 5, "players": [{}, {"rating": "12345678901"}]},
            {"match_length": 5, "players": [{}, {"rating": "12345678.1"}]},
            {"match_length": 5, "players": [{"username": "player01"}, {"username": "PLAYER01"}]},
        ],
    )
    def test_a_preview_that_breaks_a_rule(self, body: Any) -> None:
        make_ladder()
        make_player("player01")
        refused_in_korean(clients.anonymous(), "POST", "ladders/backgammon/preview", body)

    def test_other_refusals(self) -> None:
        match = offered_match()
        client = clients.player(match.player_one)
        refused_in_korean(client, "DELETE", "me")
        refused_in_korean(client, "PATCH", "me", {"language": "xx"})
        refused_in_korean(clients.player(make_player()), "POST", f"matches/{match.pk}/accept")
        refused_in_korean(client, "GET", "ladders/backgammon/leaderboard/around-me")
        broken = client.generic(
            "POST", f"matches/{match.pk}/accept", b"{", content_type="application/json", headers=KOREAN
        )
        assert HANGUL.search(broken.json()["detail"])
        wrong = client.generic("POST", f"matches/{match.pk}/accept", b"x", content_type="text/x", headers=KOREAN)
        assert HANGUL.search(wrong.json()["detail"])
        other = clients.anonymous(Accept="image/png", **KOREAN).get("ladders")
        assert HANGUL.search(other.json()["detail"])

    def test_sign_up(self) -> None:
        make_player("taken")
        for body in (
            {"username": "a", "password": PASSWORD},
            {"username": "taken", "password": PASSWORD},
            {"username": "\N{CYRILLIC SMALL LETTER A}dmin", "password": "1"},
            {"username": "player01", "password": PASSWORD, "email": "x"},
            {},
        ):
            answer = clients.anonymous(**KOREAN).post("/_allauth/app/v1/auth/signup", body)
            assert [e["message"] for e in answer.json()["errors"] if not HANGUL.search(e["message"])] == []

    def test_the_ledgers_words(self) -> None:
        match = confirmed_match()
        rulings.overturn_match(
            match.pk,
            actor=make_moderator(),
            winner=None,
            reason_code=ReasonCode.OTHER,
            reason="Agreed by both.",
        )
        (reversal, _) = (
            clients.anonymous(**KOREAN).get(f"players/{match.player_one.username}/rating-entries").json()["results"]
        )
        assert HANGUL.search(reversal["explanation"])


def marked_texts() -> Iterator[str]:
    """Every text that the source marks for translation."""
    marks = {"_", "gettext", "gettext_lazy", "gettext_noop"}
    folders = [Path(settings.BASE_DIR, app) for app in ("common", "accounts", "events", "ladder", "matchmaking")]
    for source in (file for folder in folders for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if name in marks:
                    yield text
    for template in (file for folder in folders for file in folder.rglob("*.html")):
        text = template.read_text()
        yield from re.findall(r"""{% trans(?:late)? "([^"]+)" """, text)
        for tag, block in re.findall(r"{% blocktrans(.*?)%}(.*?)(?:{% plural %}.*?)?{% endblocktrans", text, re.S):
            words = " ".join(line.strip() for line in block.strip().splitlines()) if "trimmed" in tag else block
            yield re.sub(r"{{ *(\w+) *}}", r"%(\1)s", words.replace("%", "%%"))


def compiled() -> dict[Any, str]:
    with CATALOGUE.joinpath("django.mo").open("rb") as file:
        catalogue: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return catalogue


def test_every_text_has_a_korean_one() -> None:
    translated = compiled()
    # A text with a plural is stored under its singular.
    missing = {text for text in marked_texts() if not (translated.get(text) or translated.get((text, 0)))}
    assert sorted(missing) == []


def test_the_compiled_catalogue_is_that_of_its_source() -> None:
    source = CATALOGUE.joinpath("django.po").read_text()
    pairs = re.findall(r'^msgid (".+")\nmsgstr (".*")$', source, re.MULTILINE)
    written = {ast.literal_eval(text): ast.literal_eval(korean) for text, korean in pairs}
    assert len(written) > 300
    assert {text: compiled().get(text) for text in written} == written
    assert "#, fuzzy" not in source


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "en", "fr", "xx;q=9", "*", "\x00", "k" * 5000])
def test_english_is_what_everyone_else_gets(language: str) -> None:
    answer = clients.anonymous(**{"Accept-Language": language}).get("me")
    assert (answer.status_code, answer.json()["title"]) == (401, "Unauthorized")
