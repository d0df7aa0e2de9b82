"""The guides say what is so: their examples run, and every code the API can give is explained."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from common.api.problems import _BY_STATUS
from common.types import required_fields
from events.points import KINDS
from ladder.api.resources.rule_sets import rule_set_shown
from ladder.models import RatingEntry
from ladder.rules import rule_sets
from ladder.rules.ranked import Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services.matches.life import REFUSALS
from tests import clients
from tests.contract.documented import Components, document
from tests.factories import make_ladder
from tests.webserver import database_url

GUIDE = Path(settings.BASE_DIR, "docs/api.md")
README = Path(settings.BASE_DIR, "README.md")

# As much of curl as the examples use, for machines that have none.
CURL = """
import argparse, sys, urllib.error, urllib.request
arguments = argparse.ArgumentParser()
arguments.add_argument("-s", action="store_true")
arguments.add_argument("-X", default=None)
arguments.add_argument("-H", action="append", default=[])
arguments.add_argument("-d", default=None)
arguments.add_argument("url")
a = arguments.parse_args()
headers = dict(line.split(": ", 1) for line in a.H)
body = None if a.d is None else a.d.encode()
request = urllib.request.Request(a.url, body, headers, method=a.X)
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    sys.exit(f"{a.url}: {error.code} {error.read().decode()}")
"""


def examples(page: Path) -> str:
    """The shell examples of the page that call the API."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    return "\n".join(block for block in blocks if "curl" in block)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", [README, GUIDE], ids=lambda page: page.name)
def test_the_examples_run_as_they_stand(
    page: Path, live_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_ladder()
    # What a worker would do a moment later, the server does itself.
    monkeypatch.setattr("matchmaking.api.views.tickets.run_soon", lambda task: task())
    curl = tmp_path / "curl"
    program = tmp_path / "curl.py"
    program.write_text(CURL)
    # Not in the first line of the script, where a path must not contain a space.
    curl.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}" "$@"\n')
    curl.chmod(0o755)
    script = examples(page).replace("http://127.0.0.1:8000", live_server.url)
    script = script.replace(".venv/bin/python", shlex.quote(sys.executable))
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"state":"confirmed"' in done.stdout
    assert '"after":"644.27"' in done.stdout
    for line in filter(None, done.stdout.splitlines()):
        json.loads(line)


def section(title: str) -> str:
    return GUIDE.read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def fields(words: str) -> set[str]:
    """The names of fields in the words; ``?`` after one says that it is not always there."""
    return set(re.findall(r"`(\w+\??)`", words))


def test_every_kind_of_event_is_listed_with_its_fields() -> None:
    page = section("Live events")
    (about_a_match,) = re.findall(r"about \*the match\* has (.*?):", page)
    listed = {
        kind: fields(data) | (fields(about_a_match) if "the match" in data else set())
        for kind, data in re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
        if kind != "kind"
    }
    assert listed == {
        kind.code: {field if field in required_fields(kind.type) else f"{field}?" for field in kind.fields}
        for kind in KINDS
    }


def test_every_kind_of_entry_is_listed() -> None:
    listed = re.findall(r"^\| `(\w+)` \| ", section("Ratings").partition("| `kind` |")[2], re.MULTILINE)
    assert sorted(listed) == sorted(RatingEntry.Kind)


@pytest.mark.django_db
def test_answers_in_json_are_of_their_types() -> None:
    shown = re.findall(r"^```json (\w+)\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(shown) == len(re.findall(r"^```json", GUIDE.read_text(), re.MULTILINE)) == 4
    types = Components(document())
    values = {name: json.loads(value) for name, value in shown}
    assert [types.faults(*shown) for shown in values.items()] == [[]] * 4
    assert values["RuleSetDetails"] == rule_set_shown(rule_sets.latest("elo"))
    body = {"match_length": 5, "players": [{}, {}]}
    preview = clients.anonymous().post(f"ladders/{make_ladder().slug}/preview", body).json()
    assert values["RatingChange"] == preview["outcomes"][0]["rating_changes"][0]


REFUSED = ("Invalid", "NotFound", "Forbidden", "Conflict")
# The doors, and what they call.
SOURCES = (
    "common/api",
    "common/idempotency.py",
    *(f"{app}/{layer}" for app in ("accounts", "events", "ladder", "matchmaking") for layer in ("api", "queries")),
    *(f"accounts/services/{name}.py" for name in ("closing", "blocks")),
    *(f"ladder/services/matches/{name}.py" for name in ("locking", "offers", "reporting", "eligibility")),
    *(f"matchmaking/services/{name}.py" for name in ("arranged", "invites", "tickets")),
)


def refusals() -> Iterator[str]:
    """The codes that a request may be refused with, as the source says them."""
    for name in SOURCES:
        path = Path(settings.BASE_DIR, name)
        path = path if path.exists() else path.with_suffix(".py")
        for source in path.rglob("*.py") if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(source.read_text())):
                match node:
                    case ast.Call(func=ast.Name(id=kind), args=[ast.Constant(value=str(code)), *_]) if kind in REFUSED:
                        yield code


def test_every_code_is_explained() -> None:
    guide = GUIDE.read_text()
    codes = {*refusals(), *REFUSALS, *Unrated, *ReasonCode, *(code for code, _ in _BY_STATUS.values())}
    assert len(codes) > 40
    assert [code for code in sorted(codes) if f"`{code}`" not in guide] == []
