"""The common part of PostgreSQL and Valkey: starting, waiting until ready, and stopping."""

import os
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.process import as_account, command_line, die_with_parent

START_SECONDS = 60.0  # after a crash, a server may replay its log first
STOP_SECONDS = 15.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Service(ABC):
    """One server in one state folder."""

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals]

    def __init__(self, home: Home, *, durable: bool) -> None:
        self.home, self.durable = home, durable
        self.port = 0
        self.data = home.path / self.name
        self.log = home.path / f"{self.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def url(self) -> str:
        """The address for Django."""

    @property
    @abstractmethod
    def pid_file(self) -> Path:
        """A file that the server writes. Its first line is the process id."""

    @abstractmethod
    def prepare(self) -> None:
        """Prepare the data folder. The server is not running."""

    @abstractmethod
    def command(self) -> list[str]:
        """The command line of the server, on `self.port`. It must contain the path of the state folder."""

    @abstractmethod
    def ready(self) -> bool:
        """Whether the server accepts connections."""

    def start(self) -> str:
        self.stop_leftover()
        self.prepare()
        for last in (False, False, True):  # another process may take the free port first
            self.port = free_port()
            self._spawn()
            try:
                self._wait_until_ready()
                return self.url
            except EmbeddedError as error:
                self.stop()
                if last or "ddress already in use" not in str(error):
                    raise
        raise AssertionError

    def _spawn(self) -> None:
        self.log.unlink(missing_ok=True)
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command(),
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C must not stop the servers, which are stopped last
                preexec_fn=die_with_parent(self.stop_signal),
                **as_account(self.home.account, self.data),
            )

    def _wait_until_ready(self) -> None:
        assert self.process
        deadline = time.monotonic() + START_SECONDS
        while not self.ready():
            if (code := self.process.poll()) is not None or time.monotonic() > deadline:
                what = "did not become ready" if code is None else f"ended with {code}"
                raise EmbeddedError(
                    f"{self.name} {what}; the end of {self.log}:\n{self.log.read_text('utf-8', 'replace')[-1500:]}"
                )
            time.sleep(0.01)

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def stop_leftover(self) -> None:
        """Stop a server whose parent was killed. It may still be shutting down, or, except on Linux, still run."""
        try:
            pid = int(self.pid_file.read_text().split()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return
        deadline = time.monotonic() + STOP_SECONDS
        sig = self.stop_signal
        while str(self.home.path) in command_line(pid):
            if time.monotonic() > deadline:
                sig = signal.SIGKILL
            try:
                os.kill(pid, sig)
            except ProcessLookupError:
                break
            time.sleep(0.1)
        # A server that was killed leaves its pid file. PostgreSQL would take another process with that id for itself.
        self.pid_file.unlink(missing_ok=True)
