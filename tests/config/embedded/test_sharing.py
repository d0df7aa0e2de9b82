"""One owner at a time. Commands use its servers; servers of the environment are used as they are."""

import os
import subprocess
from pathlib import Path

import pytest

from config.embedded.__main__ import reset
from config.embedded.command import NOWHERE, environment_for
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.stack import SECRET_KEY, missing, shared

from .conftest import OWNER, Command, address, finish, processes_of


def test_a_second_run_is_refused(owner, start: Command) -> None:
    address(owner)
    second = start("-m", "config.embedded", "up")
    _, errors = finish(second)
    assert second.returncode == 1
    assert errors == f"`an owner` of this checkout already runs (process {owner.pid}): stop it first\n"


def test_a_command_uses_the_running_servers_until_it_ends(owner, start: Command, folder: Path) -> None:
    url = address(owner)
    guest = start("-c", OWNER)
    assert address(guest) == url
    owner.stdin.close()
    owner.stdin = None
    with pytest.raises(subprocess.TimeoutExpired):
        owner.wait(0.3)
    finish(guest)
    assert owner.wait(20) == 0
    assert processes_of(folder) == []


def test_one_external_server_and_one_of_ours(start: Command, folder: Path) -> None:
    mixed = start("-c", OWNER, DATABASE_URL="postgresql://somewhere/else")
    assert address(mixed) == "postgresql://somewhere/else"
    assert (folder / "valkey").exists()
    assert not (folder / "postgres").exists()
    finish(mixed)


def test_no_server_is_started_if_both_are_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somewhere/else")
    monkeypatch.setenv("REDIS_URL", "redis://somewhere/0")
    assert missing() == []
    monkeypatch.setenv(SECRET_KEY, "given")
    with shared(Home(folder), "a command"):
        assert not folder.exists()
    monkeypatch.delenv(SECRET_KEY)
    with shared(Home(folder), "a command"):
        first = os.environ[SECRET_KEY]
    monkeypatch.delenv(SECRET_KEY)
    with shared(Home(folder), "a command"):
        assert os.environ[SECRET_KEY] == first
    assert [path.name for path in folder.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("arguments", [["spectacular", "--validate"], ["migrate", "--help"], [], ["help"]])
def test_commands_without_servers_start_none(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("EMBEDDED_HOME", "/nowhere/that/could/be/made")
    with environment_for(arguments):
        assert os.environ["DATABASE_URL"] == NOWHERE["DATABASE_URL"]


def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    folder.symlink_to("/var/tmp")
    with pytest.raises(EmbeddedError, match="not a folder of yours"):
        Home(folder).acquire()


def test_reset_asks_first_and_keeps_running_servers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert reset(Home(folder), sure=True) == 0
    running = Home(folder)
    assert running.acquire()
    with pytest.raises(EmbeddedError, match="in use"):
        reset(Home(folder), sure=True)
    running.release()
    monkeypatch.setattr("builtins.input", lambda _: "")
    kept = Home(folder)
    assert reset(kept, sure=False) == 0
    kept.release()
    assert folder.exists()
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert reset(Home(folder), sure=False) == 0
    assert not folder.exists()
