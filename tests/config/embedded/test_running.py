"""`make run`: its port, its processes, and that all of them end together."""

import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import EmbeddedError, ports
from config.embedded.service import free_port
from config.embedded.supervisor import Supervisor

from .conftest import OWNER, Command, address, finish, processes_of, wait_until


@pytest.fixture
def busy() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_wanted_port_in_use_is_refused(busy: int) -> None:
    with pytest.raises(EmbeddedError, match=f"port {busy} is in use"):
        ports.reserve(busy)


def test_without_a_port_the_next_free_one_is_used(busy: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "FIRST", busy)
    with ports.reserve(None) as first, ports.reserve(None) as second:
        assert busy < first.getsockname()[1] < second.getsockname()[1]


def test_the_health_check_needs_an_answer_not_only_an_open_port(busy: int) -> None:
    check = ports.HealthCheck(busy)
    assert not check.has_answer()
    assert not ports.HealthCheck(free_port()).has_answer()


def python(code: str) -> tuple[str, ...]:
    return "timeit", "-n1", "-r1", code  # a module that runs the code it is given


def test_a_process_that_ends_is_reported_and_the_others_are_stopped(capfd: pytest.CaptureFixture[str]) -> None:
    supervisor = Supervisor()
    supervisor.start("steady", *python("import time; print('here'); time.sleep(60)"))
    supervisor.start("brief", *python("import os; os._exit(3)"))
    while supervisor.ended() is None:
        supervisor.print_output(0.1)
    assert supervisor.ended() == ("brief", 3)
    supervisor.stop()
    assert "steady | here\n" in capfd.readouterr().out


def test_a_server_that_ends_is_reported() -> None:
    supervisor = Supervisor()
    server = subprocess.Popen(["sleep", "60"])
    supervisor.monitor("postgres", server)
    assert supervisor.ended() is None
    server.kill()
    server.wait()
    assert supervisor.ended() == ("postgres", -9)
    supervisor.stop()


def test_a_process_that_does_not_stop_is_killed_with_its_children(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("config.embedded.supervisor.STOP_SECONDS", 0.3)
    supervisor = Supervisor()
    stubborn = "import signal, subprocess, sys; signal.signal(15, signal.SIG_IGN);"
    child = f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', '{folder}']).wait()"
    supervisor.start("stubborn", *python(stubborn + child))
    wait_until(lambda: len(processes_of(folder)) == 2)
    supervisor.stop()
    wait_until(lambda: processes_of(folder) == [])


@pytest.mark.stack
def test_the_whole_product_starts_and_stops(start: Command, folder: Path) -> None:
    port = free_port()
    stack = start("-m", "config.embedded", "up", "--port", str(port))
    assert stack.stdout
    lines = []
    for line in stack.stdout:
        lines.append(line)
        if "Ctrl-C stops it" in line:
            break
    else:  # it ended before
        pytest.fail("".join(lines) + finish(stack)[1])
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
        assert answer.status == 200

    second = start("-m", "config.embedded", "up")
    assert f"already runs at http://127.0.0.1:{port} (process {stack.pid})" in finish(second)[1]
    guest = start("-c", OWNER)
    address(guest)
    finish(guest)

    stack.send_signal(signal.SIGINT)
    rest, errors = finish(stack)
    assert (stack.returncode, errors) == (0, "")
    assert "stopping" in rest
    assert processes_of(folder) == []
