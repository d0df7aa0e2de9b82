"""What PostgreSQL and Valkey have in common: start, wait until ready, stop, and leave nothing behind."""

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

START_SECONDS = 60.0  # a server that crashed may have a log to replay first
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
        """What Django connects to."""

    @property
    @abstractmethod
    def pid_file(self) -> Path:
        """Written by the server itself; the process number is its first line."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the data folder ready; no server of ours is running now."""

    @abstractmethod
    def command(self) -> list[str]:
        """The server in the foreground, on `self.port`. The state folder's path occurs in it."""

    @abstractmethod
    def ready(self) -> bool:
        """Whether it serves."""

    def start(self) -> str:
        self.stop_leftover()
        self.prepare()
        for last in (False, False, True):  # somebody else may take the free port before the server does
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
                start_new_session=True,  # Ctrl-C is for us; we stop the servers last
                preexec_fn=die_with_parent(self.stop_signal),
                **as_account(self.home.account, self.data),
            )

    def _wait_until_ready(self) -> None:
        assert self.process
        deadline = time.monotonic() + START_SECONDS
        while not self.ready():
            if (code := self.process.poll()) is not None or time.monotonic() > deadline:
                what = "did not get ready" if code is None else f"ended with {code}"
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
        """End a server whose parent was killed: it may be shutting down still or, not on Linux, know nothing of it."""
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
        # It ended without tidying up, and PostgreSQL would take a stranger with the same number for itself.
        self.pid_file.unlink(missing_ok=True)
