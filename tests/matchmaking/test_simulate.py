"""The commands that tell a story: what they refuse before anything is written, what they leave, what they draw."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from ladder.models import DecayRun, Ladder, Match, Standing
from ladder.rules.ranked import Origin
from ladder.services.verification import verify
from matchmaking.models import Ticket
from tests.decay_days import FIRST, clock
from tests.factories import make_player, offered_match
from tests.matchmaking.queueing import queued

pytestmark = pytest.mark.django_db(transaction=True)

CHARTS = ["calibration", "rating-against-skill", "tier-sizes", "waiting-against-fairness"]
SMALL = ("--players", 4, "--days", 1)


def call(*arguments: object) -> list[str]:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, no_color=True)
    return out.getvalue().splitlines()


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    """A story ends now, and how it goes depends on the time of the day at which it ends."""
    with clock(FIRST):
        yield


@contextmanager
def nothing_written() -> Iterator[None]:
    def rows() -> list[int]:
        return [model.objects.count() for model in (User, Ladder, Standing, DecayRun, Match, Ticket)]

    before = rows()
    yield
    assert rows() == before


# --- simulate


def test_each_simulation_has_a_ladder_to_itself() -> None:
    assert call("simulate", *SMALL, "--no-charts")[0] == "The ladder 'simulation' was created."
    assert call("simulate", *SMALL, "--no-charts")[0] == "The ladder 'simulation-2' was created."
    assert call("simulate", *SMALL, "--no-charts", "--ladder", "mine")[0] == "The ladder 'mine' was created."
    assert Standing.objects.filter(player__username__in=["sim01", "sim05", "sim09"]).count() == 3


def test_an_empty_ladder_is_used() -> None:
    Ladder.objects.create(slug="simulation", name="Ours")
    assert call("simulate", *SMALL, "--no-charts")[0].startswith("4 players, ")
    assert Ladder.objects.get().name == "Ours"


@pytest.mark.parametrize("command", ["demo", "simulate"])
def test_a_ladder_with_standings_is_refused(command: str) -> None:
    offered_match()
    with nothing_written(), pytest.raises(CommandError, match=r"has standings.* with --ladder"):
        call(command, "--ladder", "backgammon")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", 1], ["--players", 10_001], ["--days", 0], ["--days", 100_000], ["--days", "many"],
        ["--ladder", "no such slug"],
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(arguments: list[object]) -> None:
    named = "slug" if arguments[0] == "--ladder" else str(arguments[0])
    with nothing_written(), pytest.raises(CommandError, match=named):
        call("simulate", *arguments, "--no-charts")


@pytest.mark.parametrize("below", ["", "below"])
def test_drawings_need_a_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with nothing_written(), pytest.raises(CommandError, match=f"--out {tmp_path}/file.*: Not a directory"):
        call("simulate", *SMALL, "--out", tmp_path / "file" / below)


def test_drawings_need_their_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with nothing_written(), pytest.raises(CommandError, match="make setup installs them"):
        call("simulate", *SMALL, "--out", tmp_path / "drawn")
    assert not (tmp_path / "drawn").exists()


def test_what_came_of_it_is_drawn(tmp_path: Path) -> None:
    said = call("simulate", "--players", 12, "--days", 2, "--out", tmp_path / "drawn")

    assert said[1].startswith("12 players, ")
    assert sorted(file.name for file in (tmp_path / "drawn").iterdir()) == sorted(
        f"{name}{suffix}" for name in CHARTS for suffix in (".html", ".png")
    )
    for page in (tmp_path / "drawn").glob("*.html"):
        assert "<script src" not in page.read_text()
        assert "<title>" in page.read_text()


@pytest.fixture
def _ctrl_c_is_heard() -> Iterator[None]:
    """As in a terminal. A run in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_ctrl_c_is_heard")
def test_ctrl_c_keeps_the_finished_days() -> None:
    with connection.execute_wrapper(_interrupting(night=3)), pytest.raises(CommandError) as stopped:
        call("simulate", "--players", 6, "--days", 5, "--no-charts")

    assert str(stopped.value) == "Stopped: 2 of 5 days were simulated and remain on the ladder 'simulation'."
    assert stopped.value.returncode == 130
    assert DecayRun.objects.exclude(state=DecayRun.State.RUNNING).count() == 2
    assert Match.objects.exists()
    assert not Ticket.objects.filter(state__in=Ticket.LIVE).exists()
    assert verify(found=print).drifts == 0


def _interrupting(night: int) -> Callable[..., Any]:
    """Ctrl-C while this night begins."""
    nights = iter(range(1, night + 1))

    def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith('INSERT INTO "ladder_decayrun"') and next(nights) == night:
            signal.raise_signal(signal.SIGINT)
        return execute(sql, *rest)

    return wrapper


# --- demo


def test_demo_fills_the_ladder_and_prints_the_moderator() -> None:
    real, ticket = make_player("player01"), queued(make_player("player02"))
    said = call("demo", "--players", 6)

    assert said[-2].startswith("6 players have played ")
    assert "'backgammon'" in said[-2]
    assert Match.objects.filter(origin=Origin.MATCHMAKING).exists()
    names = Standing.objects.values_list("player__username", flat=True)
    assert all(name.startswith("demo") for name in names)
    assert not real.standings.exists()
    ticket.refresh_from_db()
    assert ticket.state == Ticket.State.WAITING

    username, password = said[-1].split("user ")[1].split(" (")[0].split(", password ")
    moderator = authenticate(username=username, password=password)
    assert isinstance(moderator, User)
    assert moderator.is_staff
    assert moderator.has_perm("ladder.rule_match")
    assert not moderator.is_superuser


def test_the_moderator_of_a_simulation_cannot_sign_in() -> None:
    call("simulate", *SMALL, "--no-charts")
    moderator = User.objects.get(username="moderator01")
    assert not moderator.is_staff
    assert not moderator.has_usable_password()
