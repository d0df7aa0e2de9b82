"""Separate state folders and processes, which do not use the servers of the test run or of the checkout."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.embedded.home import CHECKOUT
from config.embedded.process import command_line
from config.embedded.stack import KINDS, SECRET_KEY

OWNER = """
import os, sys
from config.embedded.home import Home, default_path
from config.embedded.stack import shared
with shared(Home(default_path()), "an owner"):
    print(os.environ["DATABASE_URL"], flush=True)
    sys.stdin.read()
"""

UNSET = {*KINDS, SECRET_KEY, "DJANGO_SETTINGS_MODULE"}

Command = Callable[..., "subprocess.Popen[str]"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "stack: runs the whole product as `make run` does, for some seconds")


def _hear_ctrl_c() -> None:
    """As in a terminal. A run in the background has it ignored, and children would inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the servers' account can use. For root, pytest's own folders are closed to it."""
    path = Path(tempfile.mkdtemp(dir="/var/tmp" if os.geteuid() == 0 else None, prefix="embedded test "))
    path.chmod(0o711)
    yield path / "state"
    shutil.rmtree(path)


@pytest.fixture
def start(folder: Path) -> Iterator[Command]:
    """Start Python without addresses of servers in the environment, and by default with this test's state folder."""
    processes = []

    def run(*arguments: str, home: Path = folder, **environment: str) -> "subprocess.Popen[str]":
        bare = {key: value for key, value in os.environ.items() if key not in UNSET}
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=CHECKOUT,
            env={**bare, "EMBEDDED_HOME": str(home), "PYTHONUNBUFFERED": "1", **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_hear_ctrl_c,
        )
        processes.append(process)
        return process

    yield run
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()
    wait_until(lambda: not processes_of(folder))


@pytest.fixture
def owner(start: Command) -> "subprocess.Popen[str]":
    """A process that runs the servers until its input ends."""
    return start("-c", OWNER)


def address(process: "subprocess.Popen[str]") -> str:
    """The database's address that an owner or guest prints once it has it."""
    assert process.stdout
    assert process.stderr
    line: str = process.stdout.readline().strip()
    assert line.startswith("postgresql://"), line + process.stderr.read()
    return line


def finish(process: "subprocess.Popen[str]", text: str = "") -> tuple[str, str]:
    """End its input and wait. Returns its standard output and standard error."""
    return process.communicate(text, timeout=60)


def processes_of(folder: Path) -> list[str]:
    numbers = subprocess.run(["ps", "-A", "-o", "pid="], capture_output=True, text=True, check=True).stdout.split()
    return [line for number in numbers if str(folder) in (line := command_line(int(number)))]


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition did not become true"
        time.sleep(0.05)
