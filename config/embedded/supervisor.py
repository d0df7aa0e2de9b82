"""Runs the processes of the product, prints their output, and stops all of them if one ends."""

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress

from config.embedded.process import die_with_parent

COLOURS = ("\033[36m", "\033[33m", "\033[35m")
STOP_SECONDS = 6.0  # time for requests and tasks to finish; tasks that do not are started again later


class Supervisor:
    def __init__(self) -> None:
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._monitored: dict[str, subprocess.Popen[bytes]] = {}
        self._partial_lines: dict[str, bytes] = {}
        self._selector = selectors.DefaultSelector()

    def start(self, name: str, *module_and_arguments: str, **environment: str) -> None:
        child = subprocess.Popen(
            [sys.executable, "-m", *module_and_arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PYTHONUNBUFFERED": "1", **environment, **os.environ},  # variables of the user have priority
            start_new_session=True,  # Ctrl-C must not stop it directly, and its process group can be killed
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        assert child.stdout
        os.set_blocking(child.stdout.fileno(), False)
        self._selector.register(child.stdout, selectors.EVENT_READ, name)
        self._children[name] = child

    def monitor(self, name: str, process: subprocess.Popen[bytes] | None) -> None:
        """Also notice when this process ends. It is stopped by the code that started it."""
        if process:
            self._monitored[name] = process

    def ended(self) -> tuple[str, int] | None:
        """A process that has ended, and its exit code."""
        for name, child in (self._children | self._monitored).items():
            if (code := child.poll()) is not None:
                return name, code
        return None

    def print_output(self, seconds: float) -> None:
        """Print the output of the processes. Wait for it at most this long."""
        for key, _ in self._selector.select(seconds):
            chunk = os.read(key.fd, 65536)
            if not chunk:
                self._selector.unregister(key.fileobj)
            *lines, rest = (self._partial_lines.pop(key.data, b"") + chunk).split(b"\n")
            self._partial_lines[key.data] = rest
            for line in lines if chunk else [rest] * bool(rest):
                self._print(key.data, line.decode(errors="replace"))

    def _print(self, name: str, line: str) -> None:
        prefix = f"{name:<6} |"
        if sys.stdout.isatty():
            prefix = f"{COLOURS[list(self._children).index(name) % len(COLOURS)]}{prefix}\033[0m"
        print(prefix, line, flush=True)

    def stop(self) -> None:
        """Stop all processes. Kill those that do not stop in time, and their child processes."""
        for child in reversed(self._children.values()):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while any(child.poll() is None for child in self._children.values()) and time.monotonic() < deadline:
            self.print_output(0.1)
        for child in self._children.values():
            with suppress(ProcessLookupError, PermissionError):  # macOS raises the second if all have ended
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self._children.clear()
